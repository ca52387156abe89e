import SwitchyardTesting
import Testing

@testable import APIManagers

@Suite(.timeLimit(.minutes(5))) struct BroadcastTests {
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
  func ending() async throws {
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

  @Test("Concurrent senders and readers lose no event within the capacity, and each reader sees one order")
  func concurrency() async {
    let news = Broadcast<Int>(keeping: 4_000)
    let streams = (0..<4).map { _ in news.values() }
    await withTaskGroup(of: Void.self) { group in
      for sender in 0..<4 {
        group.addTask { for number in 0..<1_000 { news.send(sender * 1_000 + number) } }
      }
    }
    var orders: [[Int]] = []
    for stream in streams {
      var order: [Int] = []
      for await number in stream {
        order.append(number)
        if order.count == 4_000 { break }
      }
      orders.append(order)
    }
    #expect(Set(orders).count == 1)
    #expect(orders[0].sorted() == Array(0..<4_000))
  }
}
