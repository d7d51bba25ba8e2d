//! FFN types of a layer: one dense MLP, or routed experts (MoE).

use super::fields::{Shape, WIDTH, Walk, shape, shapes};

shapes! {
    /// The FFN of a layer.
    Ffn {
        /// One dense MLP.
        Dense = "dense",
        /// An MoE: routed experts, and optionally shared experts.
        Moe = "moe",
    }
}

shape! {
    /// A dense MLP.
    Dense as shape {
        /// Intermediate width of a dense MLP, f.
        width: u32 = needed(0, WIDTH),
        /// Number of weight matrices of a dense MLP, μ: 3 if gated, else 2.
        matrices: u32 = stated(3, 2, 3),
    }
}

shape! {
    /// An MoE: routed experts, and optionally shared experts.
    Moe as shape {
        /// Number of routed experts, E.
        experts: u32 = needed(1, 1 << 16),
        /// Number of routed experts per token, k.
        experts_per_token: u32 = needed(1, shape.experts),
        /// Number of shared experts, E_s.
        shared_experts: u32 = stated(0, 0, 1 << 10),
        /// Intermediate width of a routed expert, f_e.
        expert_width: u32 = needed(1, WIDTH),
        /// Intermediate width of a shared expert, f_s.
        shared_width: u32 = or(shape.expert_width, 1, WIDTH),
        /// Number of weight matrices per expert, μ.
        matrices: u32 = or(3, 2, 3),
        /// Latent width of the routed experts' inputs and outputs, z; `None` if they have the hidden size.
        latent: Option<u32> = optional(1, WIDTH),
    }
}

impl Moe {
    /// Returns an MoE with `experts` gated experts. Each token uses `experts_per_token` of them; shared experts have
    /// the same width.
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

    /// True if shared experts have the same shape as routed ones, so that they can be placed on the same grid of
    /// GPUs.
    pub const fn shared_alike(&self) -> bool {
        self.shared_width == self.expert_width && self.latent.is_none()
    }

    /// Returns the width of the experts' inputs and outputs: the latent width z, or else the hidden size.
    pub const fn working_width(&self, hidden: u32) -> u32 {
        match self.latent {
            Some(latent) => latent,
            None => hidden,
        }
    }
}
