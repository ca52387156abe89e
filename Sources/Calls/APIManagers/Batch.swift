import Interception

/// Loads that run at the same time, with at most a given number of them in progress.
///
/// Use it for a number of loads that is known only at run time; for a few of different types, `async let` is
/// shorter.
///
/// ```swift
/// func prices(of ids: [Int], _ price: @escaping @Sendable (Int) async throws -> Int) async throws -> [Int] {
///   let batch = Batch(over: ids, load: price)
///   for result in await batch.results() { print(result) }  // each load has its own result
///   return try await batch.values()  // or the first failure ends them all
/// }
/// ```
///
/// All loads have ended when a function returns: cancelling the caller's task cancels them, and none outlives
/// the call. Each call runs the loads again.
public struct Batch<Output: Sendable>: Sendable {
  private let loads: [@Sendable () async throws -> Output]
  private let width: Int

  /// Creates a batch of one load for each input.
  ///
  /// - Parameters:
  ///   - inputs: The arguments of the loads.
  ///   - width: The maximum number of loads in progress; 6 by default, at least 1.
  ///   - load: Loads with an input; it may throw any error.
  public init<Input: Sendable>(
    over inputs: some Sequence<Input>, width: Int = 6,
    load: @escaping @Sendable (Input) async throws -> Output
  ) {
    loads = inputs.map { input in { try await load(input) } }
    self.width = max(1, width)
  }

  /// Runs the loads and returns their values, in the order of the loads.
  ///
  /// The first failure cancels the loads in progress, and no further ones start.
  ///
  /// - Throws: The failure that came first, and which load it is of. If the caller's task is cancelled, the
  ///   underlying error is that of a cancelled load, or a `CancellationError`.
  public func values() async throws(BatchError) -> [Output] {
    var failure: BatchError?
    let results = await run { index, result in
      if failure == nil, case .failure(let error) = result {
        failure = BatchError(index: index, underlying: error)
      }
      return failure == nil
    }
    if let failure { throw failure }
    return results.compactMap { try? $0.get() }
  }

  /// Runs the loads and returns the result of each, in the order of the loads.
  ///
  /// If the caller's task is cancelled, the loads in progress end with their own errors, and those that have
  /// not started with a `CancellationError`.
  public func results() async -> [Result<Output, any Error>] { await run { _, _ in true } }

  /// Runs the loads until one of the results is not accepted.
  private func run(
    _ accepts: (Int, Result<Output, any Error>) -> Bool
  ) async -> [Result<Output, any Error>] {
    var results = [Result<Output, any Error>](
      repeating: .failure(CancellationError()), count: loads.count)
    await withTaskGroup(of: (Int, Result<Output, any Error>).self) { group in
      var next = 0
      var isAccepting = true
      func startNext() {
        guard isAccepting, next < loads.count else { return }
        let (index, load) = (next, loads[next])
        next += 1
        group.addTask {
          let result = await Result(awaiting: { () async throws(any Error) in
            // A load that ignores the cancellation would otherwise start its request.
            try Task.checkCancellation()
            return try await load()
          })
          return (index, result)
        }
      }
      for _ in 0..<width { startNext() }
      while let (index, result) = await group.next() {
        results[index] = result
        if isAccepting, !accepts(index, result) {
          isAccepting = false
          group.cancelAll()
        }
        startNext()
      }
    }
    return results
  }
}
