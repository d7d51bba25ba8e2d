//! The views, each loaded when it is first shown but Explore, which comes first.
//!
//! A view reaches what surrounds it through this file alone: whatever else names one of its functions pulls it into
//! the first load.

use super::shell::toast::Toast;
use super::{disagg, explore, limits, papers, plans, service};
use crate::pages::figure::catalog::FigureTable;
use crate::part::{NotLoaded, Part, PartLoader, now};
use crate::state::App;
use leptos::prelude::*;
use model_core::permalink::{FigureId, View};

/// A wish from a view.
#[derive(Clone, Copy)]
pub enum ViewRequest {
    /// The view itself.
    View,
    /// One of its figures.
    Figure(FigureId),
    /// Its group in the panel of the scenario.
    Panel,
    /// A beginning on what it will need: it will probably be opened.
    Ahead,
}

part!(below, below_part, load_below, of_below(app: App, toast: Toast, only: Option<FigureId>) -> AnyView);
part!(limits, limits_part, load_limits, of_limits(app: App, toast: Toast, ask: ViewRequest) -> AnyView);
part!(plans, plans_part, load_plans, of_plans(app: App, toast: Toast, ask: ViewRequest) -> AnyView);
part!(service, service_part, load_service, of_service(app: App, toast: Toast, ask: ViewRequest) -> AnyView);
part!(disagg, disagg_part, load_disagg, of_disagg(app: App, toast: Toast, ask: ViewRequest) -> AnyView);
part!(papers, papers_part, load_papers, of_papers(app: App, toast: Toast, ask: ViewRequest) -> AnyView);

impl FigureTable {
    /// The view itself, or a figure of it.
    fn asked(
        &self,
        app: App,
        toast: Toast,
        ask: ViewRequest,
        view: impl Fn(App, Toast) -> AnyView,
    ) -> AnyView {
        match ask {
            ViewRequest::View => view(app, toast),
            ViewRequest::Figure(id) => self.figure(app, toast, id),
            ViewRequest::Panel | ViewRequest::Ahead => ().into_any(),
        }
    }
}

fn of_limits(app: App, toast: Toast, ask: ViewRequest) -> AnyView {
    limits::FIGURES.asked(app, toast, ask, limits::limits)
}

fn of_plans(app: App, toast: Toast, ask: ViewRequest) -> AnyView {
    plans::FIGURES.asked(app, toast, ask, plans::plans)
}

fn of_service(app: App, toast: Toast, ask: ViewRequest) -> AnyView {
    service::FIGURES.asked(app, toast, ask, service::service)
}

fn of_disagg(app: App, toast: Toast, ask: ViewRequest) -> AnyView {
    match ask {
        ViewRequest::Panel => disagg::panel_group(app),
        ask => disagg::FIGURES.asked(app, toast, ask, disagg::disaggregation),
    }
}

fn of_papers(app: App, toast: Toast, ask: ViewRequest) -> AnyView {
    match ask {
        ViewRequest::View => papers::papers(app, toast),
        ViewRequest::Figure(id) => papers::figure(app, toast, id),
        ViewRequest::Panel => ().into_any(),
        ViewRequest::Ahead => {
            papers::ahead(app);
            ().into_any()
        }
    }
}

fn of_explore(app: App, toast: Toast, ask: ViewRequest) -> AnyView {
    match ask {
        ViewRequest::View => explore::answer(app, toast, move || further(app, toast, None)),
        ViewRequest::Figure(id) if explore::FIGURES.row(id).is_none() => {
            further(app, toast, Some(id))
        }
        ViewRequest::Figure(id) => explore::FIGURES.figure(app, toast, id),
        ViewRequest::Panel | ViewRequest::Ahead => ().into_any(),
    }
}

/// Explore's charts further down, or one of them: a part that follows the first load.
fn further(app: App, toast: Toast, only: Option<FigureId>) -> AnyView {
    let part = Part {
        name: "Further charts",
        styles: &[],
        load: Some(|| Box::pin(load_below())),
    };
    part.shown(true, move || below_part(app, toast, only))
}

fn of_below(app: App, toast: Toast, only: Option<FigureId>) -> AnyView {
    match only {
        Some(id) => explore::below::FIGURES.figure(app, toast, id),
        None => explore::below::below(app, toast),
    }
}

async fn make(app: App, toast: Toast, view: View, ask: ViewRequest) -> Result<AnyView, NotLoaded> {
    match view {
        View::Explore => Ok(of_explore(app, toast, ask)),
        View::Limits => limits_part(app, toast, ask).await,
        View::Plans => plans_part(app, toast, ask).await,
        View::Service => service_part(app, toast, ask).await,
        View::Disaggregation => disagg_part(app, toast, ask).await,
        View::Papers => papers_part(app, toast, ask).await,
    }
}

/// The part that a view is in.
fn part_of(view: View) -> Part {
    let (load, styles): (Option<PartLoader>, &[&str]) = match view {
        View::Explore => (None, &[]),
        View::Limits => (Some(|| Box::pin(load_limits())), &[]),
        View::Plans => (Some(|| Box::pin(load_plans())), &["plans"]),
        View::Service => (Some(|| Box::pin(load_service())), &["service"]),
        View::Disaggregation => (Some(|| Box::pin(load_disagg())), &["disagg"]),
        // Its tables are those of Disaggregation.
        View::Papers => (Some(|| Box::pin(load_papers())), &["disagg", "papers"]),
    };
    Part {
        name: view.name(),
        styles,
        load,
    }
}

/// A wish from a view, granted as soon as its part is there.
pub fn of_view(app: App, toast: Toast, view: View, ask: ViewRequest) -> AnyView {
    let seen = matches!(ask, ViewRequest::View | ViewRequest::Figure(_));
    part_of(view).shown(seen, move || make(app, toast, view, ask))
}

/// Loads the part of a view that will probably be wanted, and has it begin on what it will need.
pub fn expect(app: App, toast: Toast, view: View) {
    part_of(view).expect(move || drop(now(make(app, toast, view, ViewRequest::Ahead))));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::figure::catalog::FigureTable;

    #[test]
    fn figures_have_one_row_in_their_view() {
        let tables: [(View, &FigureTable); 7] = [
            (View::Explore, &explore::FIGURES),
            (View::Explore, &explore::below::FIGURES),
            (View::Limits, &limits::FIGURES),
            (View::Plans, &plans::FIGURES),
            (View::Service, &service::FIGURES),
            (View::Disaggregation, &disagg::FIGURES),
            (View::Papers, &papers::FIGURES),
        ];
        for id in FigureId::OWN {
            let rows = tables
                .iter()
                .flat_map(|(view, table)| table.0.iter().map(move |row| (*view, row.id)));
            let own: Vec<View> = rows.filter(|row| row.1 == id).map(|row| row.0).collect();
            // The answer alone is a view, not a chart.
            let wanted = (id != FigureId::Explore).then(|| id.view());
            assert_eq!(own, Vec::from_iter(wanted), "{id:?}");
        }
    }
}
