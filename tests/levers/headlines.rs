//! Tests that headlines have at most eighteen words.

use answer::{Outcome, answer};
use model_core::preset::PRESETS;

use super::{law, scenario};

fn words(said: &str) -> usize {
    said.split_whitespace()
        .filter(|word| word.chars().any(char::is_alphanumeric))
        .count()
}

#[test]
fn headlines_have_eighteen_words() {
    law(600, scenario, |inputs| {
        if let Outcome::Possible(page) = answer(inputs, None) {
            let said = page.headline.sentence().plain_text();
            assert!(
                (4..=18).contains(&words(&said)),
                "{} words: {said}",
                words(&said)
            );
        }
    });
    for preset in PRESETS {
        let link = preset.opened();
        if let Outcome::Possible(page) = answer(&link.current, link.pinned.as_ref()) {
            let said = page.headline.sentence().plain_text();
            println!("{}: {said}", preset.id);
            assert!(words(&said) <= 18, "{}: {said}", preset.id);
        }
    }
}
