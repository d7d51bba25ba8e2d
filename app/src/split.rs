//! How a function becomes a part of the program of its own, loaded when it is first called. `build.rs` says whether the
//! program is cut; where it is not, every part is there from the start.

#[cfg(parts)]
macro_rules! part {
    ($name:ident, $load:ident, $whole:ident($($given:ident: $type:ty),*) -> $answer:ty) => {
        #[leptos::wasm_split::wasm_split($name, wasm_split_path = ::leptos::wasm_split, fallible, preload($load))]
        fn $name($($given: $type),*) -> Result<$answer, NotLoaded> {
            Ok($whole($($given),*))
        }
    };
}

#[cfg(not(parts))]
macro_rules! part {
    ($name:ident, $load:ident, $whole:ident($($given:ident: $type:ty),*) -> $answer:ty) => {
        async fn $name($($given: $type),*) -> Result<$answer, NotLoaded> {
            Ok($whole($($given),*))
        }

        #[allow(dead_code, reason = "what comes at once needs no loading ahead")]
        async fn $load() -> Result<(), NotLoaded> {
            Ok(())
        }
    };
}
