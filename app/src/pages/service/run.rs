//! “Run it”: commands that start the replicas, for copying.

use super::Answered;
use crate::controls::choice::radio;
use crate::pages::shell::clipboard::copy;
use crate::pages::shell::toast::Toast;
use crate::state::App;
use answer::service::{EngineCommands, PoolCommand};
use leptos::prelude::*;

/// Draws the commands for one serving engine, chosen by a switch.
pub fn run_it(app: App, toast: Toast) -> AnyView {
    let answer = Answered::of_page(app).answer;
    let runs = Memo::new(move |_| {
        answer.with(|answer| answer.shown.as_ref().map(|shown| shown.runs.clone()))
    });
    let chosen = RwSignal::new(0_usize);
    let some = Memo::new(move |_| runs.with(|runs| runs.iter().flatten().next().is_some()));
    let names = Memo::new(move |_| {
        runs.with(|runs| {
            let all = runs.iter().flatten();
            all.map(|run| run.name).collect::<Vec<&str>>()
        })
    });
    let shown = move || {
        let run = runs.with(|runs| runs.as_ref()?.get(chosen.get()).cloned());
        run.map(|run| of_engine(run, toast))
    };
    view! {
        {move || some.get().then(|| view! {
            <section class="run-it" aria-labelledby="run-it">
                <h2 id="run-it">"Run it"</h2>
                <fieldset class="choices-list" aria-label="Serving engine">
                    {move || names.get().into_iter().enumerate().map(|(at, name)| {
                        radio("engine", name, move || chosen.get() == at, move || chosen.set(at), name)
                    }).collect_view()}
                </fieldset>
                {shown}
            </section>
        })}
    }
    .into_any()
}

fn of_engine(run: EngineCommands, toast: Toast) -> AnyView {
    let commands = run.commands.into_iter().map(|command| one(command, toast));
    let hosts = run.of_hosts.map(|flags| {
        view! { <p class="tone-muted">"Multi-node replicas also need (fill in your hosts): " {flags} "."</p> }
    });
    view! {
        {commands.collect_view()}
        {hosts}
        <p class="tone-muted">"$MODEL is the model name or path. Flags from " {run.read_in} "."</p>
    }
    .into_any()
}

fn one(command: PoolCommand, toast: Toast) -> AnyView {
    let text = command.text.clone();
    let cannot = (!command.unexpressed.is_empty()).then(|| {
        let parts = command.unexpressed.join("; ");
        view! { <p class="tone-muted">"Limits of this engine: " {parts} "."</p> }
    });
    view! {
        <div class="run-pool">
            <p>
                <b>{command.pool}</b>
                " "
                <button type="button" class="act" on:click=move |_| copy(text.clone(), toast, "Command copied")>
                    "Copy"
                </button>
            </p>
            <pre tabindex="0"><code>{command.text}</code></pre>
            {cannot}
        </div>
    }
    .into_any()
}
