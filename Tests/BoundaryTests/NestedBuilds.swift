import Testing

/// The suites that build packages: one build at a time, because each takes every core, and all in one place.
@Suite(.serialized, .timeLimit(.minutes(30)), BuildPlaceTrait()) enum NestedBuilds {}
