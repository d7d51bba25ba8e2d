//! Exports of the program to JavaScript: `npm/index.js` and `npm/command.js` call them.

use model_core::account::Explained;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::command::{Command, Form, Work};
use crate::program::Program;

/// Answers of the library, as JSON.
#[wasm_bindgen]
#[derive(Default)]
pub struct Library(Program);

#[wasm_bindgen]
impl Library {
    /// A library, which caches what many links need.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The result of a link.
    pub fn evaluate(&mut self, link: &str, levers: bool) -> Result<String, String> {
        self.0.answer(Work::Evaluate { levers }, link)
    }

    /// The plans of a link.
    pub fn search(&mut self, link: &str) -> Result<String, String> {
        self.0.answer(Work::Search, link)
    }

    /// The account of a number of a link; `null` if it has no such number.
    pub fn explain(&mut self, link: &str, number: &str) -> Result<String, String> {
        let found = Explained::of_id(number);
        let number = found.ok_or_else(|| format!("there is no number `{number}`"))?;
        self.0.answer(Work::Explain(number, Form::Json), link)
    }

    /// The reading of a pasted benchmark.
    pub fn read(&self, paste: &str) -> Result<String, String> {
        Program::read(paste)
    }
}

/// A command line, whose input and output are the caller's.
#[wasm_bindgen]
pub struct CommandLine {
    command: Command,
    program: Program,
}

#[wasm_bindgen]
impl CommandLine {
    /// Parses the words after the program's name.
    #[wasm_bindgen(constructor)]
    pub fn new(words: Vec<String>) -> Result<Self, String> {
        Ok(Self {
            command: Command::parse(words)?,
            program: Program::default(),
        })
    }

    /// Text to print instead of an answer.
    pub fn printed(&self) -> Option<String> {
        match &self.command {
            Command::Print(text) => Some(text.clone()),
            _ => None,
        }
    }

    /// True if the input is one pasted benchmark instead of links.
    pub fn reads(&self) -> bool {
        matches!(self.command, Command::Read(_))
    }

    /// Given links, or the file to read; without any, input comes from a pipe.
    pub fn given(&self) -> Vec<String> {
        match &self.command {
            Command::Links(_, links) => links.clone(),
            Command::Read(file) => file.iter().cloned().collect(),
            Command::Print(_) => Vec::new(),
        }
    }

    /// The answer to a link or a paste, with its line break.
    pub fn answer(&mut self, text: &str) -> Result<String, String> {
        match self.command {
            Command::Links(work, _) => self.program.answer(work, text),
            _ => Program::read(text),
        }
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        self.program.code()
    }
}
