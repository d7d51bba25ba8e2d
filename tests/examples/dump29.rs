#![allow(missing_docs, clippy::all)]
use app::answer::{overlay, papers::measured as m};
use model_core::calibration::NamedCalibration;
fn main() {
    let mut b = String::new();
    for c in NamedCalibration::ALL {
        let rows = m::measured_rows(c.id());
        for r in &rows { b += &format!("{:?}\n", r.listed()); b+= &format!("{:?} {:?} {:?} {:?} {:?} {:?} {:?}\n", r.link, r.measured, r.predicted, r.range, r.ratio, r.gpu, r.family); }
        b += &format!("{:?}\n", m::systems(&rows));
        b += &format!("{:?}\n", m::chart(&rows, &m::formerly(&rows, c.id())));
        b += &format!("{:?}\n", m::terms(c.id()));
        for r in m::recent_rows(c) { b += &format!("{:?}\n", r); }
    }
    b += &format!("{:?}\n", m::scores());
    for model in ["deepseek-v3","deepseek-r1","deepseek-v3.2","glm-5","kimi-k2.5","gpt-oss-120b","deepseek-v4-pro","qwen3-235b-a22b"] { for gpu in ["h100","h200","b200","gb200","mi355x","gb300","custom"] { for more in ["","&gpus=8&batch=3","&gpus=8&batch=300&context=9000"] {
        let i = model_core::permalink::read(&format!("v=2&model={model}&gpu={gpu}{more}")).current;
        b += &format!("{:?}\n{:?}\n", overlay::nearest(&i), overlay::marks(&i));
    }}}
    std::fs::write("/tmp/p29/app.txt", b).unwrap();
}
