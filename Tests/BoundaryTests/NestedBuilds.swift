import Testing

/// The suites that build packages, one at a time, because each build uses all cores.
@Suite(.serialized, .timeLimit(.minutes(30)), BuildPlaceTrait()) enum NestedBuilds {}
