//! The sliders below an embedded figure, chosen by the author of the embedding page.

use super::list::{EMPTY, entries};
use super::quote::quote;
use crate::inputs::Number;

/// The numeric inputs that have a slider below an embedded figure, in the order in which the permalink lists them,
/// without duplicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sliders([Option<Number>; Sliders::MOST]);

impl Sliders {
    /// Max number of sliders of one figure.
    pub const MOST: usize = 6;
    /// No sliders: an empty list.
    pub const NONE: Self = Self([None; Self::MOST]);

    /// Iterates over the inputs whose sliders are listed, in order.
    pub fn iter(&self) -> impl Iterator<Item = Number> + use<> {
        self.0.into_iter().flatten()
    }

    /// Returns true if no input has a slider.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// Returns true if the input `number` has a slider.
    pub fn has(&self, number: Number) -> bool {
        self.iter().any(|of| of == number)
    }

    /// Returns the list of sliders with `number` appended if `shown` is true, or removed if `shown` is false.
    #[must_use]
    pub fn with(self, number: Number, shown: bool) -> Self {
        let others = self.iter().filter(|of| *of != number);
        Self::of(others.chain(shown.then_some(number)))
    }

    fn of(numbers: impl Iterator<Item = Number>) -> Self {
        let mut sliders = Self::NONE;
        for (place, number) in sliders.0.iter_mut().zip(numbers) {
            *place = Some(number);
        }
        sliders
    }

    /// Returns the list of sliders as written in a permalink, such as `batch,context`.
    pub(super) fn id(&self) -> String {
        let keys: Vec<&str> = self.iter().map(|number| number.spec().key).collect();
        keys.join(",")
    }

    /// Reads a comma-separated list of slider keys. The second value is a note if the list is empty or too long, or
    /// if it has unknown keys.
    pub(super) fn read(text: &str) -> (Self, Option<String>) {
        let mut numbers: Vec<Number> = Vec::new();
        let mut unknown: Vec<String> = Vec::new();
        for key in entries(text) {
            match Number::find(key) {
                Some(number) if numbers.contains(&number) => {}
                Some(number) => numbers.push(number),
                None => unknown.push(format!("“{}”", quote(key))),
            }
        }
        let fault = match unknown.as_slice() {
            [] if numbers.is_empty() => Some(format!("{EMPTY}; no sliders")),
            [] if numbers.len() > Self::MOST => {
                Some(format!("at most {}; only the first are shown", Self::MOST))
            }
            [] => None,
            [one] => Some(format!("{one} is not a slider key; ignored")),
            [first, ..] => Some(format!(
                "{first} and {} more are not slider keys; ignored",
                unknown.len() - 1
            )),
        };
        (Self::of(numbers.into_iter()), fault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_and_written() {
        let read = |text: &str| {
            let (sliders, fault) = Sliders::read(text);
            (sliders.id(), fault.is_some())
        };
        assert_eq!(read("batch,context"), ("batch,context".to_owned(), false));
        assert_eq!(
            read(" context, batch,context"),
            ("context,batch".to_owned(), false)
        );
        assert_eq!(read("batch,model,slo"), ("batch,slo".to_owned(), true));
        assert_eq!(read(""), (String::new(), true));
        assert_eq!(read("x,y,slo"), ("slo".to_owned(), true));
        let seven = "gpus,batch,context,beta,scale_out,scale_up,slo";
        assert_eq!(
            read(seven),
            (
                "gpus,batch,context,beta,scale_out,scale_up".to_owned(),
                true
            )
        );
    }

    #[test]
    fn one_more_or_less() {
        let two = Sliders::NONE
            .with(Number::Batch, true)
            .with(Number::Slo, true);
        assert!(two.has(Number::Slo) && two.id() == "batch,slo");
        assert_eq!(two.with(Number::Batch, false).id(), "slo");
        assert_eq!(two.with(Number::Batch, true).id(), "slo,batch");
        assert!(
            two.with(Number::Batch, false)
                .with(Number::Slo, false)
                .is_empty()
        );
    }
}
