//! FFNs of a layer: one MLP, or experts.

use super::fields::{Shape, WIDTH, Walk, shape, shapes};

shapes! {
    /// The FFN of a layer.
    Ffn {
        /// One MLP.
        Dense = "dense",
        /// An MoE.
        Moe = "moe",
    }
}

shape! {
    /// An MLP.
    Dense as shape {
        /// Intermediate width, f.
        width: u32 = needed(0, WIDTH),
        /// Weight matrices, μ: 3 when gated, else 2.
        matrices: u32 = stated(3, 2, 3),
    }
}

shape! {
    /// An MoE.
    Moe as shape {
        /// Routed experts, E.
        experts: u32 = needed(1, 1 << 16),
        /// Routed experts per token, k.
        experts_per_token: u32 = needed(1, shape.experts),
        /// Shared experts, E_s.
        shared_experts: u32 = stated(0, 0, 1 << 10),
        /// Intermediate width of an expert, f_e.
        expert_width: u32 = needed(1, WIDTH),
        /// Intermediate width of a shared expert, f_s.
        shared_width: u32 = or(shape.expert_width, 1, WIDTH),
        /// Weight matrices of every expert, μ.
        matrices: u32 = or(3, 2, 3),
        /// Latent width of the experts, z, if it is not the hidden size.
        latent: Option<u32> = optional(1, WIDTH),
    }
}

impl Moe {
    /// `experts` gated experts with `experts_per_token` per token, and shared ones of the same width.
    pub const fn new(
        experts: u32,
        experts_per_token: u32,
        shared_experts: u32,
        expert_width: u32,
    ) -> Self {
        Self {
            experts,
            experts_per_token,
            expert_width,
            shared_experts,
            shared_width: expert_width,
            matrices: 3,
            latent: None,
        }
    }

    /// True if shared experts have the shape of routed ones, and can be placed on their grid.
    pub const fn shared_alike(&self) -> bool {
        self.shared_width == self.expert_width && self.latent.is_none()
    }

    /// Width of the experts' inputs and outputs: z, or the hidden size.
    pub const fn working_width(&self, hidden: u32) -> u32 {
        match self.latent {
            Some(latent) => latent,
            None => hidden,
        }
    }
}
