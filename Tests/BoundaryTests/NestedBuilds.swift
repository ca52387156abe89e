import Testing

/// The suites that build packages: one build at a time, because each takes every core.
@Suite(.serialized, .timeLimit(.minutes(10))) enum NestedBuilds {}
