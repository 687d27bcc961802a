//! Lengths of routes.

/// The length of a route through points, in metres.
pub fn length(points: &[(f64, f64)]) -> f64 {
    let mut metres = 0.0;
    for leg in points.windows(2) {
        let (from, to) = (leg[0], leg[1]);
        metres += (from.0 - to.0).hypot(from.1 - to.1);
    }
    metres // @mark length
}

/// The same in kilometres.
#[cfg(feature = "metric")]
pub fn kilometres(points: &[(f64, f64)]) -> f64 {
    length(points) / 1000.0
}
