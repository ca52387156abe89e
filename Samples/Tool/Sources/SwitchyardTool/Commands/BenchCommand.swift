import ArgumentParser
import HTTPTypes
import Interception
import RequestValidation
import Synchronization
import ToolCommands

struct BenchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench", abstract: "Sends the same request many times, and reports rate and times.",
    discussion: """
      A time is that of a whole request, from its start to the last byte of the response. One request is sent \
      before, and not counted: its failure ends the run. Redirects are not followed. Use it with servers of \
      your own.
      """)

  @Argument(help: "The URL, with https:// or http://.") var url: String

  @Option(
    name: [.customShort("n"), .long], help: ArgumentHelp("The number of requests.", valueName: "number"))
  var requests = 200

  @Option(
    name: [.customShort("c"), .long],
    help: ArgumentHelp("How many run at the same time.", valueName: "number"))
  var concurrency = 10

  @Option(help: ArgumentHelp("The method.", valueName: "method"))
  var method = "GET"

  @OptionGroup var content: ContentOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard (1...10_000_000).contains(requests) else { throw ValidationError("-n must be 1 to 10000000.") }
    guard (1...10_000).contains(concurrency) else { throw ValidationError("-c must be 1 to 10000.") }
  }

  func run() async throws {
    let method = try MethodArgument.method(method)
    try await perform { [url, content, connection, requests, concurrency] in
      var request = try Request(URLArgument.completed(url), method: method)
      try content.apply(to: &request)
      try connection.apply(to: &request)
      request.options.delivery = .streamed
      let bypass = try connection.bypass()
      let pipeline = try Pipeline(over: try connection.dispatcher(connections: concurrency)) {
        ValidationInterceptor(limits: RequestLimits(allowsBodyOfGet: true))
        bypass
      }
      let report = try await Bench(request: request, pipeline: pipeline).run(requests, concurrency)
      try Terminal.output.lines(report.lines(Terminal.output.ink, width: Terminal.output.width))
      if report.times.isEmpty, let error = report.errors.keys.sorted().first {
        throw ToolFailure(.other, "No request had a response; send one with get to see why (\(error)).")
      }
    }
  }
}

/// Sends one request many times.
private struct Bench: Sendable {
  let request: Request
  let pipeline: Pipeline

  /// Sends the requests, and returns the outcomes; if the task is cancelled, of those that have ended.
  func run(_ count: Int, _ concurrency: Int) async throws -> BenchReport {
    // The first request fails with the sentence about what is wrong with it.
    _ = try await once()
    let left = Countdown(count)
    let clock = ContinuousClock()
    let start = clock.now
    var report = await withTaskGroup(of: BenchReport.self) { group in
      for _ in 0..<min(concurrency, count) {
        group.addTask {
          var part = BenchReport()
          while !Task.isCancelled, left.take() {
            let began = clock.now
            do throws(NetworkError) {
              let (status, bytes) = try await once()
              part.times.append(began.duration(to: clock.now))
              part.statuses[status, default: 0] += 1
              part.bytes += bytes
            } catch {
              if Task.isCancelled { break }
              part.errors[error.label, default: 0] += 1
            }
          }
          return part
        }
      }
      var whole = BenchReport()
      for await part in group { whole.add(part) }
      return whole
    }
    report.duration = start.duration(to: clock.now)
    report.planned = count
    return report
  }

  private func once() async throws(NetworkError) -> (status: Int, bytes: Int64) {
    // A request of its own each time, because IDs are unique.
    let copy = Request(request.head, body: request.body, options: request.options, context: request.context)
    let response = try await pipeline.send(copy)
    var bytes: Int64 = 0
    switch response.body {
    case .bytes(let all): bytes = Int64(all.count)
    case .stream(let stream):
      var parts = stream.makeAsyncIterator()
      while let part = try await parts.next(isolation: #isolation) { bytes += Int64(part.count) }
    }
    return (response.status.code, bytes)
  }
}

/// A number of requests that several tasks share.
private final class Countdown: Sendable {
  private let left: Mutex<Int>

  init(_ count: Int) { left = Mutex(count) }

  /// Takes one; returns false if none is left.
  func take() -> Bool {
    left.withLock { left in
      left -= 1
      return left >= 0
    }
  }
}
