import CommandRunning

/// The system's gzip program, a decoder that is independent of the code under test.
enum ForeignGzip {
  struct Failure: Error { let status: Int32 }

  static func decode(_ coded: [UInt8]) async throws -> [UInt8] {
    var command = Command("gzip", "-dc")
    command.input = coded
    command.mergesErrors = false
    let outcome = try await command.run()
    guard outcome.status == 0 else { throw Failure(status: outcome.status) }
    return outcome.bytes
  }
}
