import Testing

/// Gives all tests of a suite one place to build in, and removes it after the last.
struct BuildPlaceTrait: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await BuildPlace.$current.withValue(BuildPlace(), operation: function)
  }
}
