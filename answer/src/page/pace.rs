//! Monitors the frame rate while the user drags a slider. If frames are late, charts are painted at a lower
//! resolution until the drag ends.

/// Frame time in ms above which a frame is late: between one and two frames at 60 Hz.
const LATE_MS: f64 = 25.0;
/// Gaps between frames longer than this, in ms, are ignored: a background tab gets no frames.
const GONE_MS: f64 = 500.0;
/// Rendering is behind if the count of late frames, minus that of punctual frames, reaches this number.
const MOST: u32 = 2;

/// Frame times recorded while the user drags a slider.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct DragFrames {
    last_ms: Option<f64>,
    late: u32,
}

impl DragFrames {
    /// Records a frame. Returns true if rendering is behind. Once true, the result stays true until the drag ends.
    pub fn frame(&mut self, now_ms: f64) -> bool {
        if let Some(last_ms) = self.last_ms.replace(now_ms)
            && !self.behind()
        {
            match now_ms - last_ms {
                took if took > GONE_MS => {}
                took if took > LATE_MS => self.late += 1,
                _ => self.late = self.late.saturating_sub(1),
            }
        }
        self.behind()
    }

    /// True if too many frames were late.
    pub const fn behind(&self) -> bool {
        self.late >= MOST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(frames_ms: &[f64]) -> bool {
        let (mut pace, mut now) = (DragFrames::default(), 1e6);
        pace.frame(now);
        for took in frames_ms {
            now += took;
            pace.frame(now);
        }
        pace.behind()
    }

    #[test]
    fn late_frames_in_a_row_are_too_many_and_single_ones_are_not() {
        assert!(after(&[33.3, 33.3]));
        assert!(after(&[16.7, 50.0, 33.3, 16.7, 16.7, 16.7]));
        assert!(!after(&[33.3, 16.7, 33.3, 16.7, 16.7, 33.3]));
        assert!(!after(&[16.7; 100]));
        assert!(!after(&[4000.0, 16.7, 4000.0]));
    }
}
