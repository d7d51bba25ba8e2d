//! Answers as lists of numbers, which cross between threads without a second copy.

/// Sequential reader of numbers; `None` past the end.
#[derive(Debug)]
pub struct Reader<'a> {
    numbers: std::slice::Iter<'a, f64>,
}

impl<'a> Reader<'a> {
    /// Starts at the first number.
    pub fn new(numbers: &'a [f64]) -> Self {
        Self {
            numbers: numbers.iter(),
        }
    }

    /// The next number.
    pub fn number(&mut self) -> Option<f64> {
        self.numbers.next().copied()
    }

    /// The next number as a count.
    pub fn count(&mut self) -> Option<usize> {
        let number = self.number()?;
        (number >= 0.0 && number.fract() == 0.0).then_some(number as usize)
    }

    /// The next number; NaN stands for `None`.
    pub fn perhaps(&mut self) -> Option<Option<f64>> {
        self.number()
            .map(|number| (!number.is_nan()).then_some(number))
    }

    /// The next text, as written by [`push_text`].
    pub fn text(&mut self) -> Option<String> {
        let letters = self.many(|reader| char::from_u32(reader.count()? as u32))?;
        Some(letters.into_iter().collect())
    }

    /// A count, then as many items read by `each`.
    pub fn many<T>(&mut self, mut each: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.count()?;
        // A count above the numbers left is invalid.
        (count <= self.numbers.len()).then_some(())?;
        (0..count).map(|_| each(self)).collect()
    }
}

/// Writes a text: its length, then the code point of each letter.
pub fn push_text(numbers: &mut Vec<f64>, text: &str) {
    numbers.push(text.chars().count() as f64);
    numbers.extend(text.chars().map(|letter| f64::from(u32::from(letter))));
}
