//! Derivation trees (“accounts”) of results: from a number down to inputs, facts and constants.
//!
//! A tree is built from the records of an evaluation: operators, collectives, memory, and sums of the schedule. It is
//! built in a separate call, so an evaluation costs nothing extra. Each node has a formula ([`How`]) that computes
//! the node's value from the values of its parts.

mod afd;
mod afd_exchange;
mod cache;
mod case;
mod engine;
mod equation;
mod kernels;
mod lamina;
mod lamina_memory;
mod load;
mod memory;
mod memory_source;
mod messages;
mod moves;
mod open;
mod operator;
mod prefill;
mod quantity;
mod queues;
mod rank;
mod rank_memory;
mod ratio;
mod section;
mod service;
mod simulated;
mod step;
mod symbol;
mod tpot;
mod tree;
mod work;

pub use afd::account as account_of_unit;
pub use equation::Equation;
pub use lamina::account as account_of_lamina;
pub use moves::{Move, STEP, moves};
pub use open::{account, account_of_service, moved, open, operator};
pub use quantity::{Explained, Quantity, Subject};
pub use section::Section;
pub use simulated::{Run, simulated as account_of_simulated};
pub use symbol::{Symbol, Unit};
pub use tree::{Account, DEEPEST, Half, How, LISTED, Listed, Operation, Term};
