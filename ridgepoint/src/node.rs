//! Functions that the program exports to JavaScript, called by `npm/index.js` and `npm/command.js`.

use model_core::account::Explained;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::command::{Command, Form, Work};
use crate::program::Program;

/// Functions of the npm library; their answers are JSON.
#[wasm_bindgen]
#[derive(Default)]
pub struct Library(Program);

#[wasm_bindgen]
impl Library {
    /// Creates a library object, which caches results that many permalinks share.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the result of a permalink's scenario as JSON; if `levers` is true, the result includes the suggested
    /// changes.
    pub fn evaluate(&mut self, link: &str, levers: bool) -> Result<String, String> {
        self.0.answer(Work::Evaluate { levers }, link)
    }

    /// Returns the plans found by the search of a permalink, as JSON.
    pub fn search(&mut self, link: &str) -> Result<String, String> {
        self.0.answer(Work::Search, link)
    }

    /// Returns the derivation of a number in a permalink's scenario, as JSON; `null` if the scenario has no such
    /// number.
    pub fn explain(&mut self, link: &str, number: &str) -> Result<String, String> {
        let found = Explained::of_id(number);
        let number = found.ok_or_else(|| format!("there is no number `{number}`"))?;
        self.0.answer(Work::Explain(number, Form::Json), link)
    }

    /// Returns the values read from a pasted benchmark, as JSON.
    pub fn read(&self, paste: &str) -> Result<String, String> {
        Program::read(paste)
    }
}

/// A command line whose input and output are handled by the caller.
#[wasm_bindgen]
pub struct CommandLine {
    command: Command,
    program: Program,
}

#[wasm_bindgen]
impl CommandLine {
    /// Parses the arguments after the program's name.
    #[wasm_bindgen(constructor)]
    pub fn new(words: Vec<String>) -> Result<Self, String> {
        Ok(Self {
            command: Command::parse(words)?,
            program: Program::default(),
        })
    }

    /// If the command line asks for a text, such as the help, returns that text; returns `None` if it asks for
    /// answers.
    pub fn printed(&self) -> Option<String> {
        match &self.command {
            Command::Print(text) => Some(text.clone()),
            _ => None,
        }
    }

    /// Returns true if the command line reads one pasted benchmark instead of permalinks.
    pub fn reads(&self) -> bool {
        matches!(self.command, Command::Read(_))
    }

    /// Returns the given permalinks, or the file to read. If the list is empty, input comes from a pipe.
    pub fn given(&self) -> Vec<String> {
        match &self.command {
            Command::Links(_, links) => links.clone(),
            Command::Read(file) => file.iter().cloned().collect(),
            Command::Print(_) => Vec::new(),
        }
    }

    /// Returns the answer to a permalink or a pasted benchmark, with a line break at the end.
    pub fn answer(&mut self, text: &str) -> Result<String, String> {
        match self.command {
            Command::Links(work, _) => self.program.answer(work, text),
            _ => Program::read(text),
        }
    }

    /// Returns the exit code: see [`Program::code`].
    pub fn code(&self) -> u8 {
        self.program.code()
    }
}
