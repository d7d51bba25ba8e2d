//! Finds the preset that a permalink equals.

use model_core::permalink::search::SearchKey;
use model_core::permalink::{self, Link, View};
use model_core::preset::{PRESETS, Preset};
use std::sync::LazyLock;

/// Permalink key of a custom architecture. It is not counted as a changed key, because it belongs to the model's key.
const ARCH: &str = "arch";

struct Known {
    preset: &'static Preset,
    link: Link,
}

static KNOWN: LazyLock<Vec<Known>> = LazyLock::new(|| {
    let known = |preset: &'static Preset| Known {
        preset,
        link: comparable(&permalink::read(preset.link)),
    };
    PRESETS.iter().map(known).collect()
});

/// Returns a permalink in normal form, so that two permalinks can be compared.
fn comparable(link: &Link) -> Link {
    Link {
        current: link.current.normalized(),
        pinned: link.pinned.map(|inputs| inputs.normalized()),
        search: link.search.clone().normalized(&link.current),
        ..link.clone()
    }
}

/// Returns the preset whose scenario equals that of `link`: one of the same view, else one of the Explore view. In the
/// Plans view, the search must also match. A preset with the same pinned scenario is preferred to one without a pinned
/// scenario.
pub fn matching(link: &Link) -> Option<&'static Preset> {
    let link = &comparable(link);
    let in_plans = link.shown.view == View::Plans;
    let alike = |known: &&Known| {
        known.link.current == link.current && (!in_plans || known.link.search == link.search)
    };
    let alike: Vec<&Known> = KNOWN.iter().filter(alike).collect();
    let in_view = |view: View, pinned_alike: bool| {
        alike.iter().find(move |Known { link: wanted, .. }| {
            wanted.shown.view == view
                && match pinned_alike {
                    true => wanted.pinned == link.pinned,
                    false => wanted.pinned.is_none(),
                }
        })
    };
    let anywhere =
        |alike: bool| in_view(link.shown.view, alike).or_else(|| in_view(View::Explore, alike));
    let found = anywhere(true).or_else(|| anywhere(false));
    found.map(|known| known.preset)
}

/// Resets the deployment to defaults if the permalink equals a preset, because the user did not choose that
/// deployment. Permalinks before version 3 are unchanged. Called before the user chooses another model or
/// accelerator. In the Plans view, the GPU count is preserved, because it is part of the search.
pub fn leave(link: &mut Link) {
    if matching(link).is_some() {
        let searched = link.shown.view == View::Plans;
        link.current = link.current.restarted(searched);
    }
}

/// Returns the number of permalink keys that differ from their defaults. In the Plans view, this includes the keys of
/// the search.
pub fn changes_shown(link: &Link) -> usize {
    let stated = |key: &SearchKey| key.stated(&link.search, &link.current).is_some();
    let searched = match link.shown.view {
        View::Plans => SearchKey::ALL.iter().filter(|key| stated(key)).count(),
        _ => 0,
    };
    changes(&link.current) + searched
}

/// Returns the number of a scenario's permalink keys that differ from their defaults.
pub fn changes(inputs: &model_core::inputs::Inputs) -> usize {
    let stated = permalink::stated(inputs);
    let keys = stated.iter().filter(|(key, _)| *key != ARCH);
    keys.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_model_leaves_a_question() {
        let left = |link: &str| {
            let mut link = permalink::read(link);
            leave(&mut link);
            permalink::write_inputs(&link.current)
        };
        assert_eq!(left(PRESETS[0].link), "v=3&context=2050");
        let stated = "v=3&gpus=72&context=2050&beta=0.9";
        assert_eq!(left(stated), stated);
        let plans = PRESETS
            .iter()
            .find(|preset| preset.link.contains("view=plans&model=qwen3-235b"));
        assert!(left(plans.unwrap().link).contains("gpus=32"));
    }

    #[test]
    fn a_preset_is_recognised_however_its_link_is_spelt() {
        for preset in PRESETS {
            let link = permalink::read(preset.link);
            assert_eq!(matching(&link).map(|found| found.id), Some(preset.id));
        }
        let first = PRESETS[0].link;
        let spelt_out = permalink::read(&format!("?theme=dark&beta=1.0&{first}"));
        assert_eq!(
            matching(&spelt_out).map(|found| found.id),
            Some(PRESETS[0].id)
        );
        let elsewhere = permalink::read(&format!("{first}&view=limits"));
        assert_eq!(
            matching(&elsewhere).map(|found| found.id),
            Some(PRESETS[0].id)
        );
        let plans = permalink::read(
            "v=1&view=plans&model=deepseek-r1&gpu=gb200&gpus=64&batch=32&context=1M&beta=1&redundant=0&precision=fp4&overlap=hop-b&kvp=64&ep=32&calibration=helix&alpha_us=11.5",
        );
        assert_eq!(matching(&plans), None, "the same scenario, another search");
        assert_eq!(matching(&permalink::read("gpus=80")), None);
        let found = |link: &str| matching(&permalink::read(link)).map(|found| found.id);
        assert_eq!(
            found(&format!("{first}&a.v=1")),
            Some(PRESETS[0].id),
            "with something pinned"
        );
        assert_eq!(found(&format!("{first}&view=plans")), Some(PRESETS[0].id));
        assert_eq!(found("view=plans&accelerators=h100,b200"), None);
    }

    #[test]
    fn changes_are_counted_as_the_link_writes_them() {
        assert_eq!(changes(&permalink::read("v=1").current), 0);
        assert_eq!(
            changes(&permalink::read("gpus=72&slo=10&beta=0.5").current),
            2
        );
        let searched = permalink::read("v=1&view=plans&gpus=64&accelerators=h100,b200");
        assert_eq!(changes_shown(&searched), 2);
    }
}
