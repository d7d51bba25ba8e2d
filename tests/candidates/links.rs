//! Tests how permalinks read and write prices and candidates.

use model_core::inputs::Number;
use model_core::permalink::{read, write};

fn notes(link: &str) -> Vec<String> {
    read(link).notes.iter().map(ToString::to_string).collect()
}

#[test]
fn prices_are_written_in_order() {
    let link = read("v=3&prices=gb200:5,h200:2.30&candidates=gb200:144,h200:$50:bf16,b200");
    let text = write(&link);
    assert!(text.contains("&prices=h200:2.3,gb200:5&"), "{text}");
    assert!(
        text.ends_with("&candidates=gb200:144,h200:$50:bf16,b200"),
        "{text}"
    );
    assert_eq!(read(&text), link);
}

#[test]
fn both_scenarios_have_the_prices() {
    let link = read("v=3&gpu=h200&a.gpu=gb200&prices=gb200:5");
    let pinned = link.pinned.expect("a pinned one");
    assert_eq!(pinned.get(Number::Price), Some(5.0));
    assert_eq!(write(&link), "v=3&gpu=h200&prices=gb200:5&a.gpu=gb200");
    let mut link = link;
    let h200 = model_core::hardware::catalog::find("h200").expect("a row");
    assert!(link.set_price(h200, Some(2.3)));
    assert_eq!(link.current.get(Number::Price), Some(2.3));
    assert_eq!(
        link.pinned.expect("a pinned one").prices,
        link.current.prices
    );
    assert!(!link.set_price(h200, Some(-1.0)));
    assert!(link.set_price(h200, None));
    assert_eq!(write(&link), "v=3&gpu=h200&prices=gb200:5&a.gpu=gb200");
}

#[test]
fn unreadable_parts_are_named() {
    let said = notes("v=3&prices=h300:2,h200:x,b200,gb200:5");
    assert_eq!(said.len(), 3, "{said:?}");
    assert!(
        said[0].contains("h300") && said[0].contains("unknown accelerator"),
        "{said:?}"
    );
    assert!(said[1].contains("“h200:x” is not a number"), "{said:?}");
    assert!(said[2].contains("h200:2.3"), "{said:?}");
    let said = notes("v=3&candidates=h300,h200:fp5,b200:0,a100,h100,l4,h20,l40s,v100,custom");
    assert!(said[0].contains("unknown accelerator"), "{said:?}");
    assert!(
        said[1].contains("fp5") && said[1].contains("precision"),
        "{said:?}"
    );
    assert!(said[2].contains("which must be"), "{said:?}");
    assert!(said[3].contains("more than 5"), "{said:?}");
    let said = notes("v=3&candidates=custom,h200");
    assert_eq!(said, ["candidates custom requires gpu=custom"]);
    assert!(notes("v=1&candidates=h200:released")[0].contains("requires v=3"));
    assert!(notes("v=3&prices=h200:2&prices=h200:3")[0].contains("given twice"));
}
