public import Interception

/// Loads that run one after another, each with what the previous one returned.
///
/// Use it for a sequence of loads that is composed in several places, or whose error must say which step
/// failed. Otherwise, two lines with `await` are shorter.
///
/// ```swift
/// func mortgage(
///   of house: @escaping @Sendable () async throws -> House,
///   offer: @escaping @Sendable (House) async throws -> String
/// ) async throws(ChainError) -> String {
///   try await Chain("house", house).then("offer", offer).value()
/// }
/// ```
///
/// The first failure ends the chain. Cancelling the caller's task cancels the step in progress, and no
/// further one starts. Each call of ``value()`` runs the steps again.
public struct Chain<Output: Sendable>: Sendable {
  private let count: Int
  private let run: @Sendable () async throws(ChainError) -> Output

  /// Creates a chain of one step.
  ///
  /// - Parameters:
  ///   - name: The step's name, for errors.
  ///   - load: Runs the step; it may throw any error.
  public init(_ name: String, _ load: @escaping @Sendable () async throws -> Output) {
    count = 1
    run = { () async throws(ChainError) -> Output in try await Self.step(1, name, load) }
  }

  private init(count: Int, run: @escaping @Sendable () async throws(ChainError) -> Output) {
    self.count = count
    self.run = run
  }

  /// Returns the chain with a further step, which receives the value of the one before.
  ///
  /// - Parameters:
  ///   - name: The step's name, for errors.
  ///   - load: Runs the step; it may throw any error.
  public func then<Next: Sendable>(
    _ name: String, _ load: @escaping @Sendable (Output) async throws -> Next
  ) -> Chain<Next> {
    let step = count + 1
    return Chain<Next>(count: step) { [run] () async throws(ChainError) -> Next in
      let output = try await run()
      return try await Self.step(step, name) { try await load(output) }
    }
  }

  /// Runs the steps and returns the value of the last one.
  ///
  /// - Throws: The error of the step that failed.
  public func value() async throws(ChainError) -> Output { try await run() }

  private static func step<Value>(
    _ step: Int, _ name: String, _ load: () async throws -> Value
  ) async throws(ChainError) -> Value {
    do {
      try Task.checkCancellation()
      return try await load()
    } catch {
      throw ChainError(step: step, name: name, underlying: error)
    }
  }
}

/// The error of a chain: which step failed, and why.
public struct ChainError: Error, LoggableError, Sendable {
  /// The position of the step, counted from 1.
  public let step: Int
  /// The step's name.
  public let name: String
  /// The step's error; a `CancellationError` if the caller's task was cancelled before the step.
  public let underlying: any Error
}

extension ChainError: CustomStringConvertible {
  /// The step and its error.
  public var description: String {
    "Step \(step), \"\(name)\", failed: \(NetworkError.loggableText(of: underlying))"
  }
}
