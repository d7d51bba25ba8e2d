//! The `ridgepoint` program without its input and output: turns permalinks and pasted benchmarks into answers.

use answer::explain;
use model_core::account::{Explained, open};
use model_core::permalink;
use model_core::report::account::explained;
use model_core::report::search::search;
use model_core::report::{Reporter, pasted};
use serde::Serialize;

use crate::command::{Form, Work};

/// Answers permalinks one after another.
#[derive(Debug, Default)]
pub struct Program {
    reporter: Reporter,
    refused: bool,
}

impl Program {
    /// Returns the answer to a permalink, with a line break at the end. Errors: the reason why there is no answer.
    pub fn answer(&mut self, work: Work, link: &str) -> Result<String, String> {
        match work {
            Work::Evaluate { levers: true } => {
                let advised = self.reporter.advised(link);
                self.refused |= !advised.report.is_valid();
                line(&advised)
            }
            Work::Evaluate { levers: false } => {
                let unadvised = self.reporter.unadvised(link);
                self.refused |= !unadvised.report.is_valid();
                line(&unadvised)
            }
            Work::Search => {
                let found = search(link);
                self.refused |= found.fitting == 0;
                line(&found)
            }
            Work::Explain(number, form) => self.explain(number, form, link),
        }
    }

    fn explain(&mut self, number: Explained, form: Form, link: &str) -> Result<String, String> {
        let inputs = permalink::read(link).current;
        if form == Form::Json {
            let found = explained(&inputs, number);
            self.refused |= found.is_none();
            return line(&found);
        }
        let Some(account) = open(&inputs, number) else {
            self.refused = true;
            return Err(format!("{} has no {}", link.trim(), number.id()));
        };
        let account = explain::explained(&account);
        Ok(match form {
            Form::Markdown => account.markdown(""),
            _ => account.text(),
        })
    }

    /// Returns the values read from a pasted benchmark, as one line of JSON.
    pub fn read(paste: &str) -> Result<String, String> {
        line(&pasted::read(paste))
    }

    /// Returns the exit code: 1 if any permalink had an invalid scenario, lacked the number to explain, or had a search
    /// without a feasible plan; otherwise 0.
    pub fn code(&self) -> u8 {
        u8::from(self.refused)
    }
}

/// Formats a result as one line of JSON.
fn line(result: &impl Serialize) -> Result<String, String> {
    let text = serde_json::to_string(result).map_err(|why| why.to_string())?;
    Ok(text + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAN: Work = Work::Evaluate { levers: false };

    #[test]
    fn a_refused_link_is_answered_and_counts() {
        let mut program = Program::default();
        let fine = program.answer(LEAN, "?v=3&gpus=8").unwrap();
        assert!(fine.starts_with("{\"ok\":true,") && fine.ends_with("}\n"));
        assert_eq!(program.code(), 0);
        let refused = program.answer(LEAN, "?v=3&gpus=71&ep=3\r\n").unwrap();
        assert!(refused.starts_with("{\"ok\":false,"), "{refused}");
        assert_eq!(program.code(), 1);
    }

    #[test]
    fn a_search_without_a_plan_counts() {
        let mut program = Program::default();
        program.answer(Work::Search, "?v=3&search_gpus=64").unwrap();
        assert_eq!(program.code(), 0);
        program
            .answer(
                Work::Search,
                "?v=3&model=llama-3.1-405b&precision=bf16&gpu=h100&search_gpus=1",
            )
            .unwrap();
        assert_eq!(program.code(), 1);
    }

    #[test]
    fn an_absent_number_is_named() {
        let mut program = Program::default();
        let of = |number, form| Work::Explain(Explained::of_id(number).unwrap(), form);
        let absent = program.answer(of("operator-200", Form::Json), "?v=3");
        assert_eq!(absent, Ok("null\n".to_owned()));
        let why = program.answer(of("operator-200", Form::Text), "?v=3");
        assert_eq!(why, Err("?v=3 has no operator-200".to_owned()));
        assert_eq!(program.code(), 1);
        let shown = program.answer(of("tpot", Form::Text), "?v=3").unwrap();
        assert!(shown.lines().count() > 3);
    }
}
