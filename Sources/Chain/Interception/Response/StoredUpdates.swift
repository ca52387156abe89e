/// At most two values: that of a stored response at once, and then that of the server's.
///
/// The server is asked when the sequence is read for the second time, so that a loop which ends after the
/// first value sends nothing. Each iteration starts again.
public struct StoredUpdates<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
  /// Asks the server, and returns its value, or nil if it has nothing else than what is stored.
  package typealias Next = @Sendable () async throws(Failure) -> Element?

  private let load: @Sendable () async throws(Failure) -> (stored: Element?, next: Next?)

  /// Creates the values.
  ///
  /// - Parameter load: Returns the stored value, if there is one, and how the server is asked after it.
  package init(_ load: @escaping @Sendable () async throws(Failure) -> (stored: Element?, next: Next?)) {
    self.load = load
  }

  /// Returns the values; each iteration loads them again.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(load: load) }

  /// Returns the stored value and the server's.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var load: (@Sendable () async throws(Failure) -> (stored: Element?, next: Next?))?
    private var ask: Next?

    fileprivate init(load: @escaping @Sendable () async throws(Failure) -> (stored: Element?, next: Next?)) {
      self.load = load
    }

    /// Returns the next value, or nil after the last one.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Failure) -> Element? {
      if let load = load.take() {
        let (stored, next) = try await load()
        ask = next
        if let stored { return stored }
      }
      return try await ask.take()?()
    }
  }
}
