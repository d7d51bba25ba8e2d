//! Signals and memos that outlive their readers.

use leptos::prelude::*;
use leptos::reactive::graph::{AnySource, Observer, Source, ToAnySource};
use leptos::reactive::traits::{
    DefinedAt, IsDisposed, Notify, ReadUntracked, Track, UntrackableGuard, Write,
};
use std::ops::DerefMut;
use std::panic::Location;

/// A signal or memo that outlives a view; each reader unsubscribes when that reader is dropped.
///
/// Otherwise the reactive graph would retain the subscriptions of dropped effects and memos, 300 bytes each, for as
/// long as the signal or memo lives.
#[derive(Debug, Clone, Copy)]
pub struct Lasting<S> {
    read: S,
    source: StoredValue<AnySource>,
}

impl<T: PartialEq + Send + Sync + 'static> Lasting<Memo<T>> {
    /// Like [`Memo::new`].
    pub fn memo(make: impl Fn(Option<&T>) -> T + Send + Sync + 'static) -> Self {
        ArcMemo::new(make).into()
    }
}

impl<T: Send + Sync + 'static> Lasting<RwSignal<T>> {
    /// Like [`RwSignal::new`].
    pub fn signal(value: T) -> Self {
        let source = ArcRwSignal::new(value);
        Self::of(source.to_any_source(), source.into())
    }
}

impl<S> Lasting<S> {
    fn of(source: AnySource, read: S) -> Self {
        let source = StoredValue::new(source);
        Self { read, source }
    }
}

impl<T: Send + Sync + 'static> From<ArcMemo<T>> for Lasting<Memo<T>> {
    fn from(memo: ArcMemo<T>) -> Self {
        Self::of(memo.to_any_source(), memo.into())
    }
}

impl<T: Send + Sync + 'static> From<ReadSignal<T>> for Lasting<ReadSignal<T>> {
    fn from(signal: ReadSignal<T>) -> Self {
        Self::of(signal.to_any_source(), signal)
    }
}

impl<S: Track> Track for Lasting<S> {
    fn track(&self) {
        self.read.track();
        if let (Some(reader), Some(source)) = (Observer::get(), self.source.try_get_value()) {
            on_cleanup(move || source.remove_subscriber(&reader));
        }
    }
}

impl<S: DefinedAt> DefinedAt for Lasting<S> {
    fn defined_at(&self) -> Option<&'static Location<'static>> {
        self.read.defined_at()
    }
}

impl<S: IsDisposed> IsDisposed for Lasting<S> {
    fn is_disposed(&self) -> bool {
        self.read.is_disposed()
    }
}

impl<S: ReadUntracked> ReadUntracked for Lasting<S> {
    type Value = S::Value;

    fn try_read_untracked(&self) -> Option<Self::Value> {
        self.read.try_read_untracked()
    }
}

impl<S: Notify> Notify for Lasting<S> {
    fn notify(&self) {
        self.read.notify();
    }
}

impl<S: Write> Write for Lasting<S> {
    type Value = S::Value;

    fn try_write(&self) -> Option<impl UntrackableGuard<Target = Self::Value>> {
        self.read.try_write()
    }

    fn try_write_untracked(&self) -> Option<impl DerefMut<Target = Self::Value>> {
        self.read.try_write_untracked()
    }
}
