//! Sorting with a single monomorphic sort: indices are sorted, then the items are permuted.
//!
//! Each type that the standard library sorts adds about 1.5 kB of code. For the web worker, seven such sorts would
//! add 10.4 kB, or 1.7 kB after brotli, which exceeds the worker's size budget. The page has five times as many
//! sorts.

use std::cmp::Ordering;

/// Sorts items by `compare`; the sort is stable.
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let order = sorted(items.len(), &|a, b| match (items.get(a), items.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    arrange(order, |one, other| items.swap(one, other));
}

/// Sorts items by `key` in ascending order; the sort is stable.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(items, |one, other| key(one).cmp(&key(other)));
}

/// Sorts numbers in ascending order.
pub fn sort_numbers(numbers: &mut [f64]) {
    sort_by(numbers, f64::total_cmp);
}

/// Returns the indices from 0 to `len` (exclusive), sorted by `compare`.
fn sorted(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|one, other| compare(*one, *other));
    order
}

/// Permutes items in place with `swap`, so that position `i` receives the item that was at `order[i]`.
fn arrange(mut order: Vec<usize>, mut swap: impl FnMut(usize, usize)) {
    for first in 0..order.len() {
        let mut place = first;
        while order[place] != first {
            let from = order[place];
            swap(place, from);
            order[place] = place;
            place = from;
        }
        order[place] = place;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_the_standard_library_sorts() {
        let mut seed = 7_u32;
        for len in [0, 1, 2, 3, 17, 200] {
            let mut items: Vec<(u32, usize)> = (0..len)
                .map(|index| {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (seed >> 28, index)
                })
                .collect();
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            sort_by_key(&mut items, |item| item.0);
            assert_eq!(items, expected);
            expected.sort_by_key(|one| std::cmp::Reverse(one.0));
            sort_by(&mut items, |one, other| other.0.cmp(&one.0));
            assert_eq!(items, expected);
        }
    }
}
