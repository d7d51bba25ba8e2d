//! Choice between replicas of a pool.

/// GPU counts within this factor are equal; smaller replicas are preferred.
pub const AS_GOOD: f64 = 1.01;

/// A replica for a demand, and how many of it.
#[derive(Debug, Clone, Copy)]
pub struct Chosen<T> {
    /// The replica.
    pub replica: T,
    /// The number of them; 1 without a rate.
    pub replicas: f64,
    /// GPUs of each.
    gpus: u32,
    /// Total GPUs; without a rate, GPUs per req/s.
    pub cost: f64,
}

impl<T> Chosen<T> {
    /// Replicas and their size; without `replicas`, no count.
    pub fn new(replica: T, gpus: u32, rate: f64, replicas: Option<f64>) -> Self {
        let each = f64::from(gpus);
        Self {
            replica,
            replicas: replicas.unwrap_or(1.0),
            gpus,
            cost: replicas.map_or(each / rate, |replicas| replicas * each),
        }
    }

    /// Total GPUs.
    pub fn total(&self) -> f64 {
        self.replicas * f64::from(self.gpus)
    }
}

/// The cheapest choice; within 1%, the smallest replicas.
pub fn cheapest<T>(all: Vec<Chosen<T>>) -> Option<Chosen<T>> {
    let least = all.iter().map(|one| one.cost).fold(f64::INFINITY, f64::min);
    let near = all.into_iter().filter(|one| one.cost <= AS_GOOD * least);
    near.reduce(|one, other| {
        let better = other.gpus < one.gpus || other.gpus == one.gpus && other.cost < one.cost;
        if better { other } else { one }
    })
}
