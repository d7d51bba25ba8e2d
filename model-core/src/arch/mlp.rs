//! What follows the mixer in a layer: one MLP, or experts.

/// The feed-forward part of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ffn {
    /// One MLP that every token passes.
    Dense(Dense),
    /// Experts of which a token uses some.
    Moe(Moe),
}

/// An MLP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dense {
    /// Intermediate width, f.
    pub width: u32,
    /// Weight matrices, μ: 3 when gated, else 2.
    pub matrices: u32,
}

/// A mixture of experts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moe {
    /// Routed experts, E.
    pub experts: u32,
    /// Routed experts a token uses, k.
    pub experts_per_token: u32,
    /// Intermediate width of an expert, f_e.
    pub expert_width: u32,
    /// Shared experts, E_s.
    pub shared_experts: u32,
    /// Intermediate width of a shared expert, f_s.
    pub shared_width: u32,
    /// Weight matrices of every expert, μ.
    pub matrices: u32,
    /// Width in which experts work, z, where it is not the hidden size.
    pub latent: Option<u32>,
}

impl Moe {
    /// `experts` gated experts of which a token uses some, and shared ones of the same width.
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

    /// Whether a shared expert has the shape of a routed one, and can lie on their grid.
    pub const fn shared_alike(&self) -> bool {
        self.shared_width == self.expert_width && self.latent.is_none()
    }

    /// Width in which experts work: z, or the hidden size.
    pub const fn working_width(&self, hidden: u32) -> u32 {
        match self.latent {
            Some(latent) => latent,
            None => hidden,
        }
    }
}

impl Ffn {
    /// The identifier in links, and the name in results.
    pub const fn id(&self) -> &'static str {
        match self {
            Self::Dense(_) => "dense",
            Self::Moe(_) => "moe",
        }
    }
}
