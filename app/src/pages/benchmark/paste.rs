//! The paste field for a benchmark, the values read from it, and the verdict.

use crate::controls::pasted::read_files;
use crate::controls::reveal::reveal;
use crate::icons;
use crate::state::App;
use answer::benchmark::{ReadRow, ignored, note_sentence, rows, throughput, what};
use leptos::ev;
use leptos::html::Textarea;
use leptos::prelude::*;
use model_core::bench::{self, ReadLine, Reading};
use model_core::inputs::Inputs;
use std::sync::Arc;

/// Examples shown in the empty field: a typed time, and a command with its output.
const EXAMPLE: &str = "TPOT 62 ms at batch 64\n\n\
    $ vllm serve deepseek-ai/DeepSeek-R1 --tensor-parallel-size 8\n\
    ============ Serving Benchmark Result ============\n\
    Mean TPOT (ms): 21.4";

/// Values read from a pasted text, and the scenario before these values were applied.
#[derive(Clone)]
struct Taken {
    reading: Arc<Reading>,
    before: Inputs,
}

/// Draws the text field and the table of values, side by side.
pub fn paste(app: App) -> AnyView {
    let taken = RwSignal::new(None::<Taken>);
    let typing = RwSignal::new(true);
    let text = Memo::new(move |_| app.measuring.with(|measuring| measuring.text.clone()));
    // Each new text is read once, and its values are applied to the scenario.
    Effect::new(move |_| {
        let text = text.get();
        if text.trim().is_empty() {
            taken.set(None);
            typing.set(true);
            return;
        }
        let before = taken.with_untracked(|taken| taken.as_ref().map(|taken| taken.before));
        let now = app.current.get_untracked();
        let reading = bench::read(&text, &now);
        let any = !reading.points.is_empty() || !reading.facts.is_empty();
        if any {
            app.edit(|inputs| *inputs = reading.applied(&now));
        }
        typing.set(!any);
        taken.set(Some(Taken {
            reading: Arc::new(reading),
            before: before.unwrap_or(now),
        }));
    });
    let enter = move |text: String| app.measuring.update(|measuring| measuring.text = text);
    let reading = Memo::new(move |_| {
        taken.with(|taken| taken.as_ref().map(|taken| Arc::clone(&taken.reading)))
    });
    let undo = move |_| {
        if let Some(before) = taken.with_untracked(|taken| taken.as_ref().map(|taken| taken.before))
        {
            app.edit(|inputs| *inputs = before);
        }
        enter(String::new());
    };
    view! {
        <div class="benchmark-halves">
            <div class="benchmark-box">
                <div class="benchmark-head">
                    <h2>"I measured this"</h2>
                    <span class="tone-muted">"paste benchmark output, a result file or log lines"</span>
                    <button type="button" class="quiet benchmark-close" aria-label="Close" on:click=move |_| {
                        app.measuring.update(|measuring| measuring.open = false);
                    }>
                        {icons::close()}
                    </button>
                </div>
                {move || match (typing.get(), reading.get()) {
                    (false, Some(reading)) => marked(&reading.lines, typing),
                    _ => field(text, enter),
                }}
                <p class="benchmark-tools">
                    <label class="quiet benchmark-file">
                        "Choose a file"
                        <input type="file" multiple class="hidden" on:change:target=move |event| {
                            if let Some(files) = event.target().files() {
                                read_files(files, enter);
                            }
                        }/>
                    </label>
                    {move || taken.with(Option::is_some).then(|| view! {
                        <button type="button" class="quiet" on:click=undo>"Undo"</button>
                    })}
                    <span class="tone-muted">"No data leaves this page."</span>
                </p>
            </div>
            {move || taken.get().map(|taken| found(&taken))}
        </div>
        {super::verdict::judged(app, reading)}
        {move || reading.get().map(|reading| rates(app, &reading))}
    }
    .into_any()
}

/// Draws sentences about runs that report only a throughput.
fn rates(app: App, reading: &Reading) -> AnyView {
    let told = app.current.with(|inputs| throughput(inputs, reading));
    let told = told
        .into_iter()
        .map(|told| view! { <p class="benchmark-next">{told}</p> });
    told.collect_view().into_any()
}

fn field(text: Memo<String>, enter: impl Fn(String) + Copy + 'static) -> AnyView {
    let node = NodeRef::<Textarea>::new();
    node.on_load(|field| drop(field.focus()));
    let leave = move |event: ev::KeyboardEvent| {
        if event.key() == "Escape"
            && let Some(field) = node.get_untracked()
        {
            event.stop_propagation();
            let _ = field.blur();
        }
    };
    view! {
        <textarea
            node_ref=node
            class="benchmark-text"
            rows="9"
            spellcheck="false"
            aria-label="Benchmark output, result file, log lines or launch command"
            placeholder=EXAMPLE
            prop:value=move || text.get()
            on:input=move |event| enter(event_target_value(&event))
            on:keydown=leave
        ></textarea>
    }
    .into_any()
}

/// Draws the pasted text: lines that were read are marked; all other lines are gray.
fn marked(lines: &[ReadLine], typing: RwSignal<bool>) -> AnyView {
    let line = |line: &ReadLine| {
        let class = if line.read { "read" } else { "unread" };
        view! { <span class=class>{line.text.clone()}</span> "\n" }
    };
    let lines = lines.iter().map(line).collect_view();
    view! {
        <pre class="benchmark-text" tabindex="0" aria-label="The pasted text; lines that were read are marked">{lines}</pre>
        <button type="button" class="quiet" on:click=move |_| typing.set(true)>"Edit"</button>
    }
    .into_any()
}

/// Draws a table of the values read, with the source line of each, and notes.
fn found(taken: &Taken) -> AnyView {
    let reading = &taken.reading;
    let rows = rows(reading, &taken.before).into_iter().map(row);
    let mut notes: Vec<String> = reading.notes.iter().map(note_sentence).collect();
    notes.extend(ignored(reading));
    let unread = reading
        .lines
        .iter()
        .filter(|line| !line.read && !line.text.trim().is_empty())
        .count();
    let unread = (unread > 0).then(|| match unread {
        1 => "1 line not used".to_owned(),
        many => format!("{many} lines not used"),
    });
    view! {
        <div class="benchmark-read">
            <h2>"What was read"</h2>
            <span class="tone-muted">{what(reading)}</span>
            <table>
                <thead>
                    <tr>
                        <td></td>
                        <th scope="col" class="numeric">"value"</th>
                        <th scope="col">"source"</th>
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
            <ul class="benchmark-notes" aria-live="polite">
                {notes.into_iter().map(|note| view! { <li>{note}</li> }).collect_view()}
                {unread.map(|unread| view! { <li class="tone-muted">{unread}</li> })}
            </ul>
        </div>
    }
    .into_any()
}

fn row(row: ReadRow) -> AnyView {
    let key = row.key;
    view! {
        <tr>
            <th scope="row" class:tone-bad=row.missing>{row.name}</th>
            <td class="numeric">{row.value}</td>
            <td>
                {row.from}
                " "
                <button type="button" class="quiet" aria-label=format!("Change {}", row.name) on:click=move |_| reveal(key)>
                    "change"
                </button>
            </td>
        </tr>
    }
    .into_any()
}
