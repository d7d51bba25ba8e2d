#![allow(missing_docs, clippy::all)]
use model_core::measured::*;
fn main() {
    let mut facts = String::new();
    let mut texts = String::new();
    for row in rows() {
        let figure = match row.measured { Measured::PerGpu(x) => format!("{x} tok/s/GPU"), Measured::PerUser(x) => format!("{x} tok/s/user"), Measured::Tpot(x) => format!("{x} ms") };
        let kind = match row.group { RunKind::Steady=>"steady", RunKind::Latency=>"latency", RunKind::Aggregated=>"aggregated", RunKind::WholeRun=>"whole-run", RunKind::NewLayers=>"new-layers", RunKind::Uncertain=>"uncertain" };
        let open: Vec<String> = row.unknown.iter().map(|u| { let mut s = u.what.to_owned(); for e in u.ends { s += "|"; s += e; } s }).collect();
        for u in row.unknown { assert!(!u.what.contains(';') && !u.what.contains('|')); }
        assert_eq!(row.choices.len() == 2, !row.link.contains("overlap="), "{}", row.id);
        assert!(!row.source.title.contains('#') && !row.source.locator.contains('#'));
        facts += &[row.id, kind, &figure, &open.join(";"), row.hardware, row.link, &format!("{}#{}", row.source.title, row.source.locator)].join("\t");
        facts += "\n";
        texts += &[System::of(row).id(), row.model, row.run, "", row.note.unwrap_or("")].join("\t");
        texts += "\n";
    }
    std::fs::write("/tmp/p29/runs.tsv", facts).unwrap();
    std::fs::write("/tmp/p29/texts.tsv", texts).unwrap();
    let mut a = String::new();
    for x in ABSENT { a += &format!("{}\t{}\t{}\n", x.runs, x.count, x.why.words()); }
    std::fs::write("/tmp/p29/absent.tsv", a).unwrap();
    use model_core::calibration::NamedCalibration;
    let mut b = String::new();
    for c in NamedCalibration::ALL { for r in Residuals::of(c).as_slice() { b += &format!("{} {} {} {:?} {:?}\n", c.id(), r.id, r.system, r.region, r.log.to_bits()); } }
    for r in recent() { for c in NamedCalibration::ALL { let x = r.compare(c).unwrap(); b += &format!("{} {:?} {}\n", r.id, x.error.to_bits(), model_core::permalink::write_inputs(&x.inputs)); } }
    for l in ["v=2","v=2&model=glm-5&gpu=mi355x&gpus=8","v=2&serving=aggregated&prompt=4000&output=1000","v=2&calibration=kernels-2026-11&model=deepseek-v3.2", "v=1"] {
        let inputs = model_core::permalink::read(l).current; let s = inputs.scenario().unwrap(); let e = model_core::evaluate::evaluate(&s).unwrap();
        for c in NamedCalibration::ALL { let mut i = inputs; i.calibration = c; let _ = s; let s = i.scenario().unwrap(); b += &format!("{l} {} {:?}\n", c.id(), Residuals::of(c).band(&i, &s, &e).map(|b| (b.low.to_bits(), b.high.to_bits(), b.region))); }
    }
    std::fs::write("/tmp/p29/residuals.txt", b).unwrap();
}
