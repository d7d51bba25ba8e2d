//! Entry point of the page's program.

fn main() {
    app::pages::start();
}
