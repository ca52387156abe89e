import Interception
import SwitchyardTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct BroadcastTests {
  /// An executor that runs code of the test when a reader is next resumed, on the thread that yields.
  private final class ReaderExecutor: TaskExecutor {
    private let code = Mutex<(@Sendable () -> Void)?>(nil)

    func atNextResume(_ code: @escaping @Sendable () -> Void) { self.code.withLock { $0 = code } }

    /// Whether the code was not run yet.
    var isPending: Bool { code.withLock { $0 != nil } }

    private func takeCode() -> (@Sendable () -> Void)? {
      code.withLock { code in
        defer { code = nil }
        return code
      }
    }

    func enqueue(_ job: consuming ExecutorJob) {
      takeCode()?()
      let job = UnownedJob(job)
      Task.detached { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  /// Reads a stream on an executor until it ends.
  private func reader(
    of stream: AsyncStream<Int>, on executor: ReaderExecutor, into read: WaitableValue<[Int]>
  ) -> Task<Void, Never> {
    Task(executorPreference: executor) {
      for await value in stream { read.update { $0.append(value) } }
    }
  }

  @Test("A value is yielded outside the lock: code that a reader's executor runs may read and send")
  func reentrance() async throws {
    let news = Broadcast<Int>(keeping: 3)
    let (executor, read) = (ReaderExecutor(), WaitableValue<[Int]>([]))
    let idle = news.values()
    let task = reader(of: news.values(), on: executor, into: read)
    news.send(-1)
    try await read.wait { $0 == [-1] }
    executor.atNextResume {
      #expect(news.latest == nil && news.readerCount == 2)
      for number in 1...100 { news.send(number) }
    }
    // The reader is suspended, or about to be; a value that finds it running is read without a resumption.
    try await waitUntil("the reader was resumed") {
      guard executor.isPending else { return true }
      news.send(0)
      return false
    }
    news.finish()
    await task.value
    // What was sent meanwhile follows, in order, and at most the newest three of it.
    #expect(read.value.suffix(3) == [98, 99, 100])
    #expect(!read.value.contains(97))
    var unread: [Int] = []
    for await value in idle { unread.append(value) }
    #expect(unread == [98, 99, 100])
  }

  @Test("A posted value is the next one for every reader, and is yielded at the delivery")
  func posting() async {
    let theme = Broadcast<Int>(startingWith: nil)
    let stream = theme.values()
    theme.post(1)
    #expect(theme.latest == 1)
    var late = theme.makeStream().makeAsyncIterator()
    theme.deliver()
    var values = stream.makeAsyncIterator()
    #expect(await values.next() == 1)
    #expect(await late.next() == 1)
    theme.update(1)
    theme.update(2)
    #expect(await values.next() == 2)
    #expect(await late.next() == 2)
  }

  @Test("A first value precedes those that are sent after the stream was made")
  func firstValue() async {
    let news = Broadcast<Int>(keeping: 16)
    let stream = news.makeStream(startingWith: 0)
    for number in 1...3 { news.send(number) }
    news.finish()
    var read: [Int] = []
    for await value in stream { read.append(value) }
    #expect(read == [0, 1, 2, 3])
  }

  @Test("Readers that start while a state changes never receive an earlier value after a later one")
  func startingDuringChanges() async {
    let state = Broadcast(startingWith: 0)
    let last = 2_000
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for number in 1...last { state.send(number) } }
      for _ in 0..<100 {
        group.addTask {
          var previous = state.latest ?? 0
          for await value in state.values() {
            #expect(value >= previous)
            previous = value
            if value == last { break }
          }
          #expect(previous == last)
        }
      }
    }
    #expect(state.readerCount == 0)
  }

  @Test("All streams have one order of what concurrent senders send, and end after it")
  func concurrency() async {
    let news = Broadcast<Int>(keeping: 4_000)
    let streams = (0..<4).map { _ in news.values() }
    await withTaskGroup(of: Void.self) { group in
      for sender in 0..<4 {
        group.addTask { for number in 0..<1_000 { news.send(sender * 1_000 + number) } }
      }
    }
    news.finish()
    var orders: Set<[Int]> = []
    for stream in streams { orders.insert(await stream.reduce(into: []) { $0.append($1) }) }
    #expect(orders.count == 1)
    #expect(orders.first?.sorted() == Array(0..<4_000))
  }

  @Test("After the end a stream has its first value only, and what is sent is ignored")
  func finished() async {
    let state = Broadcast<Int>(startingWith: 1)
    let events = Broadcast<Int>(keeping: 4)
    for broadcast in [state, events] {
      let early = broadcast.values()
      broadcast.send(2)
      broadcast.finish()
      broadcast.send(3)
      #expect(await early.reduce(into: []) { $0.append($1) } == [2])
    }
    #expect(await state.values().reduce(into: []) { $0.append($1) } == [2])
    #expect(await events.values().reduce(into: []) { $0.append($1) } == [])
    #expect(state.latest == 2 && state.readerCount == 0 && events.readerCount == 0)
  }

  @Test("A stream that isn't read any more is removed, and the others end with the instance")
  func ending() async {
    var news: Broadcast<Int>? = Broadcast(keeping: 2)
    var stream = news?.values()
    #expect(news?.readerCount == 1)
    stream = nil
    #expect(news?.readerCount == 0)
    stream = news?.values()
    news?.send(1)
    news = nil
    var read: [Int] = []
    if let stream { for await value in stream { read.append(value) } }
    #expect(read == [1])
  }

  @Test("A reader receives the events from when it started to read, in order")
  func events() async {
    let news = Broadcast<Int>()
    news.send(0)
    var early = news.values().makeAsyncIterator()
    news.send(1)
    var late = news.values().makeAsyncIterator()
    news.send(2)
    #expect(await early.next() == 1)
    #expect(await early.next() == 2)
    #expect(await late.next() == 2)
    #expect(news.latest == nil)
  }

  @Test("The newest events are kept for a slow reader")
  func capacity() async {
    let news = Broadcast<Int>(keeping: 3)
    let lone = Broadcast<Int>(keeping: 0)
    var values = news.values().makeAsyncIterator()
    var loneValues = lone.values().makeAsyncIterator()
    for number in 1...10 {
      news.send(number)
      lone.send(number)
    }
    for number in 8...10 { #expect(await values.next() == number) }
    #expect(await loneValues.next() == 10)
  }

  @Test("A late reader of a state receives the current value first")
  func state() async {
    let theme = Broadcast(startingWith: "light")
    theme.update("dark")
    #expect(theme.latest == "dark")
    var values = theme.values().makeAsyncIterator()
    #expect(await values.next() == "dark")
    theme.send("dark")
    #expect(await values.next() == "dark")
  }

  @Test("An update with the current value of a state is not sent")
  func repeatedUpdate() async throws {
    let theme = Broadcast(startingWith: "light")
    let read = WaitableValue<[String]>([])
    let reader = Task { [values = theme.values()] in
      for await value in values { read.update { $0.append(value) } }
    }
    try await read.wait { $0 == ["light"] }
    theme.update("light")
    for _ in 0..<100 { await Task.yield() }
    theme.update("dark")
    try await read.wait { $0.last == "dark" }
    #expect(read.value == ["light", "dark"])
    reader.cancel()
    await reader.value
  }

  @Test("A reader that ends is removed, and the streams end with the broadcast")
  func endingOfOneReader() async throws {
    var news: Broadcast<Int>? = Broadcast(startingWith: 1)
    do {
      var values = news?.values().makeAsyncIterator()
      #expect(await values?.next() == 1)
      #expect(news?.readerCount == 1)
      values = nil
    }
    #expect(news?.readerCount == 0)
    var values = news?.values().makeAsyncIterator()
    let waiting = Task { [stream = news?.values()] in
      guard let stream else { return }
      for await _ in stream {}
    }
    try await waitUntil("the second reader is registered") { news?.readerCount != 1 }
    waiting.cancel()
    await waiting.value
    #expect(news?.readerCount == 1)
    news = nil
    _ = await values?.next()
    #expect(await values?.next() == nil)
  }
}
