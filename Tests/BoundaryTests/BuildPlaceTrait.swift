import Testing

/// Provides one ``BuildPlace`` to all tests of a suite, and removes it afterwards.
struct BuildPlaceTrait: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await BuildPlace.$current.withValue(BuildPlace(), operation: function)
  }
}
