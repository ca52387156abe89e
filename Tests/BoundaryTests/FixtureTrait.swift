import Testing

/// Gives the tests of a suite one fixture, and removes it after the last.
struct FixtureTrait: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await FixturePackage.$shared.withValue(FixturePackage(), operation: function)
  }
}
