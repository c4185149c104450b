//! Numbers that look drawn, for benchmarks.

/// Numbers below what is asked for, the same every time.
pub fn numbers() -> impl FnMut(i32) -> i32 {
    let mut state: u64 = 0x5EED;
    move |end| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % end as u64) as i32
    }
}
