import Interception
import SwitchyardTesting
import Synchronization
import Testing

@Suite("A body from an async sequence", .timeLimit(.minutes(5)))
struct SequenceByteSourceTests {
  struct Broken: Error {}

  /// Counts from 1 and records the calls; may end with a failure, or wait until it is cancelled.
  struct Counting: AsyncSequence {
    final class Notes: Sendable {
      let asked = Atomic(0)
      let cancellations = AsyncStream<Void>.makeStream()
    }

    enum End {
      case over
      case failure(any Error)
      case wait
    }

    let notes = Notes()
    let count: Int
    let end: End

    struct Iterator: AsyncIteratorProtocol {
      let sequence: Counting
      mutating func next() async throws -> [UInt8]? {
        let number = sequence.notes.asked.wrappingAdd(1, ordering: .relaxed).newValue
        if number <= sequence.count { return [UInt8(number)] }
        switch sequence.end {
        case .over: return nil
        case .failure(let error): throw error
        case .wait:
          let (never, continuation) = AsyncStream<Void>.makeStream()
          continuation.onTermination = { [notes = sequence.notes] _ in
            notes.cancellations.continuation.yield()
          }
          for await _ in never {}
          return nil
        }
      }
    }

    func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }
  }

  @Test("The chunks are read in order, and empty ones are skipped")
  func chunks() async throws {
    let stream = AsyncStream<[UInt8]> { continuation in
      for chunk: [UInt8] in [[1], [], [2, 3], [], [4]] { continuation.yield(chunk) }
      continuation.finish()
    }
    let body = RequestBody.sequence(length: 4, stream)
    #expect(body.replay == .once && body.length == 4)
    let source = try await body.open()
    var chunks: [[UInt8]] = []
    while let chunk = try await source.read() { chunks.append(chunk) }
    #expect(chunks == [[1], [2, 3], [4]])
    #expect(try await source.read() == nil)
  }

  @Test("A chunk can be any collection of bytes")
  func slices() async throws {
    let stream = AsyncStream<ArraySlice<UInt8>> { continuation in
      continuation.yield([9, 1, 2][1...])
      continuation.finish()
    }
    #expect(try await RequestBody.sequence(length: nil, stream).collect(upTo: 9) == [1, 2])
  }

  @Test("No chunk is requested before it is demanded")
  func pull() async throws {
    let sequence = Counting(count: 5, end: .over)
    let source = try await RequestBody.sequence(length: nil, sequence).open()
    #expect(sequence.notes.asked.load(ordering: .relaxed) == 0)
    for number in 1...5 {
      #expect(try await source.read() == [UInt8(number)])
      #expect(sequence.notes.asked.load(ordering: .relaxed) == number)
    }
    #expect(try await source.read() == nil)
  }

  @Test("A body that creates its sequence anew can be read repeatedly")
  func restartable() async throws {
    let made = Atomic(0)
    let body = RequestBody.sequence(length: nil) {
      made.add(1, ordering: .relaxed)
      return Counting(count: 2, end: .over)
    }
    #expect(body.replay == .any)
    for _ in 0..<2 { #expect(try await body.collect(upTo: 9) == [1, 2]) }
    #expect(made.load(ordering: .relaxed) == 2)
  }

  @Test("A network error is passed on unchanged, and any other error is wrapped")
  func failures() async throws {
    let own = Counting(count: 1, end: .failure(NetworkError(.offline, "The modem is off.")))
    let passed = await #expect(throws: NetworkError.self) {
      try await RequestBody.sequence(length: nil, own).collect(upTo: 9)
    }
    #expect(passed?.kind == .offline)
    let wrapped = await #expect(throws: NetworkError.self) {
      try await RequestBody.sequence(length: nil, Counting(count: 1, end: .failure(Broken()))).collect(
        upTo: 9)
    }
    #expect(wrapped?.kind == .rejected)
    #expect(wrapped?.underlying(as: Broken.self) != nil)
    let unmade = await #expect(throws: NetworkError.self) {
      try await RequestBody.sequence(length: nil) { () async throws -> Counting in throw Broken() }.collect(
        upTo: 9)
    }
    #expect(unmade?.underlying(as: Broken.self) != nil)
  }

  @Test("Cancelling the source cancels the sequence's task and resumes its reader")
  func cancelled() async throws {
    let sequence = Counting(count: 0, end: .wait)
    let source = try await RequestBody.sequence(length: nil, sequence).open()
    async let outcome = Result { try await source.read() }
    // The first demand starts the task, in which the sequence then waits forever.
    try await waitUntil("the sequence was asked for an element") {
      sequence.notes.asked.load(ordering: .relaxed) > 0
    }
    source.cancel()
    source.cancel()
    let error = await outcome.failure as? NetworkError
    #expect(error?.kind == .cancelled(.task))
    for await _ in sequence.notes.cancellations.stream { break }
    let later = await #expect(throws: NetworkError.self) { try await source.read() }
    #expect(later?.kind == .cancelled(.task))
  }

  @Test(
    "Cancelling the reader's task cancels the sequence's task, and the upload fails instead of being cut short"
  )
  func readersTask() async throws {
    let sequence = Counting(count: 1, end: .wait)
    let body = RequestBody.sequence(length: nil, sequence)
    let reader = Task { try await body.collect(upTo: 9) }
    try await waitUntil("the sequence was asked for a second element") {
      sequence.notes.asked.load(ordering: .relaxed) == 2
    }
    reader.cancel()
    let error = await reader.result.failure as? NetworkError
    #expect(error?.kind == .cancelled(.task))
    for await _ in sequence.notes.cancellations.stream { break }
  }

  @Test("Releasing the source cancels the sequence's task")
  func dropped() async throws {
    let sequence = Counting(count: 1, end: .wait)
    func readOne() async throws {
      let source = try await RequestBody.sequence(length: nil, sequence).open()
      #expect(try await source.read() == [1])
    }
    try await readOne()
    #expect(sequence.notes.asked.load(ordering: .relaxed) == 1)
  }
}

extension Result {
  /// The error, if any.
  var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}

extension Result where Failure == any Error {
  /// Creates a result from an async operation.
  init(catching operation: () async throws -> Success) async {
    do { self = .success(try await operation()) } catch { self = .failure(error) }
  }
}
