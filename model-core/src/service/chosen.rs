//! Choice of a pool's replica from several candidates.

/// Two GPU counts that differ by at most this factor are treated as equal; the one with the smaller replica is chosen.
pub const AS_GOOD: f64 = 1.01;

/// A replica chosen for a demand, and the number of such replicas.
#[derive(Debug, Clone, Copy)]
pub struct Chosen<T> {
    /// The replica chosen for the demand.
    pub replica: T,
    /// Number of such replicas; 1 without a request rate.
    pub replicas: f64,
    /// Number of GPUs of one replica.
    gpus: u32,
    /// Total GPUs of the chosen replicas. Without a request rate, the GPUs needed for each request per second.
    pub cost: f64,
}

impl<T> Chosen<T> {
    /// Combines a replica of `gpus` GPUs with the number of replicas. If `replicas` is `None`, the cost is the GPUs
    /// needed for each request per second.
    pub fn new(replica: T, gpus: u32, rate: f64, replicas: Option<f64>) -> Self {
        let each = f64::from(gpus);
        Self {
            replica,
            replicas: replicas.unwrap_or(1.0),
            gpus,
            cost: replicas.map_or(each / rate, |replicas| replicas * each),
        }
    }

    /// Returns the total GPUs of all chosen replicas.
    pub fn total(&self) -> f64 {
        self.replicas * f64::from(self.gpus)
    }
}

/// Returns the choice with the lowest cost. If several costs are within 1% of it, returns the one with the smallest
/// replica.
pub fn cheapest<T>(all: Vec<Chosen<T>>) -> Option<Chosen<T>> {
    let least = all.iter().map(|one| one.cost).fold(f64::INFINITY, f64::min);
    let near = all.into_iter().filter(|one| one.cost <= AS_GOOD * least);
    near.reduce(|one, other| {
        let better = other.gpus < one.gpus || other.gpus == one.gpus && other.cost < one.cost;
        if better { other } else { one }
    })
}
