//! Ways and candidates along straight lines alone; ways around things take its place.
use super::*;
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoWay {
    Closed,
    Longer(i64),
}
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Leap,
    Walk,
}
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    pub points: Vec<Point>,
    pub length: i64,
}
impl Scene<'_> {
    pub fn walk(&self, from: Base, to: Point, most: i64) -> Result<Way, NoWay> {
        if self.leap(from, to).is_err() {
            return Err(NoWay::Closed);
        }
        let length = from.at.distance(to);
        if length > most {
            return Err(NoWay::Longer(length));
        }
        Ok(Way {
            points: vec![to],
            length,
        })
    }
    pub fn contact(&self, from: Base, target: Base, most: i64, _: Kind, _hair: i64) -> Option<Point> {
        let gap = from.gap(target).max(0);
        let to = from.at.toward(target.at, gap);
        (gap <= most && self.leap(from, to).is_ok()).then_some(to)
    }
    pub fn candidates(&self, from: Base, most: i64, kind: Kind, hair: i64, limit: usize) -> Vec<Point> {
        let mut all = Vec::new();
        for b in self.bases {
            all.extend(self.contact(from, *b, most, kind, hair));
        }
        for deg in (0..360).step_by(30) {
            for part in [2, 1] {
                let to = from.at.at_angle(deg, most / part);
                if from.at.distance(to) <= most && self.leap(from, to).is_ok() {
                    all.push(to);
                }
            }
        }
        all.dedup();
        all.truncate(limit);
        all
    }
}
