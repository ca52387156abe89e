import FlyingSocks

/// A body that is sent part by part while it arises, in chunked transfer coding.
///
/// The next part is asked for when the one before is written, so that a slow client holds up nothing but
/// itself. A client that has gone away is noticed when a part is written; then the body is released.
package struct StreamedBody: Sendable {
  /// Returns the next part, which is not empty, or `nil` at the end.
  package typealias Source = @Sendable () async -> [UInt8]?

  package let next: Source

  /// Creates a body.
  ///
  /// - Parameter next: Called for one part after another, never twice at once.
  package init(_ next: @escaping Source) { self.next = next }
}

/// The parts as the server's library reads them.
struct BodyParts: AsyncBufferedSequence {
  typealias Element = UInt8

  struct AsyncIterator: AsyncBufferedIteratorProtocol {
    fileprivate let body: StreamedBody
    private var rest: ArraySlice<UInt8> = []

    fileprivate init(_ body: StreamedBody) { self.body = body }

    mutating func next() async throws -> UInt8? {
      if rest.isEmpty { rest = await body.next()?[...] ?? [] }
      return rest.popFirst()
    }

    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
      if !rest.isEmpty {
        defer { rest = [] }
        return Array(rest)
      }
      return await body.next()
    }
  }

  let body: StreamedBody

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body) }
}
