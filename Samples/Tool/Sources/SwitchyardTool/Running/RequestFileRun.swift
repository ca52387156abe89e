import BodyFormats
import HTTPTypes
import Interception
import RequestFiles
import ToolCommands

/// The requests of a file, which are sent one after the other.
struct RequestFileRun: Sendable {
  let file: RequestFile
  /// The number of the file in this run.
  let number: Int
  let root: FileRoot
  let environment: Environment
  let chain: ChainOptions
  let pipeline: Pipeline

  /// Sends the requests up to the first failure.
  func outcome() async -> RequestFileOutcome {
    var outcome = RequestFileOutcome(name: file.source.name, scrubber: environment.scrubber)
    var environment = environment
    let clock = ContinuousClock()
    let start = clock.now
    for (index, entry) in file.entries.enumerated() {
      let title = "\(index + 1). \(Printable.text(file.title(of: entry)))"
      guard outcome.status == nil, !Task.isCancelled else {
        outcome.suite.cases.append(.init(name: title, outcome: .skipped))
        continue
      }
      await send(entry, index, title, &environment, &outcome)
      outcome.scrubber.formUnion(environment.scrubber)
    }
    outcome.duration = start.duration(to: clock.now)
    return outcome
  }

  /// Sends a request, as often as its options require.
  private func send(
    _ entry: Entry, _ index: Int, _ title: String, _ environment: inout Environment,
    _ outcome: inout RequestFileOutcome
  ) async {
    let options: EntryOptions
    do throws(FileFault) {
      options = try entry.options(in: &environment)
    } catch {
      fail([error], .malformedFile, title, environment, .zero, &outcome)
      return
    }
    guard !options.isSkipped else {
      outcome.suite.cases.append(.init(name: title, outcome: .skipped))
      return
    }
    for repetition in 1...options.repetitions {
      let title = options.repetitions > 1 ? "\(title) (\(repetition) of \(options.repetitions))" : title
      var attempt = 0
      while true {
        guard await pause(attempt == 0 ? options.delay : options.retryInterval) else { return }
        var changed = environment
        let result = await result(of: entry, index, options, &changed)
        outcome.requestCount += result.wasSent ? 1 : 0
        if result.faults.isEmpty || attempt >= options.retries || !result.canBeRepeated || Task.isCancelled {
          environment = changed
          outcome.content = result.content ?? outcome.content
          guard result.faults.isEmpty else {
            return fail(result.faults, result.status, title, environment, result.duration, &outcome)
          }
          outcome.suite.cases.append(.init(name: title, outcome: .passed, duration: result.duration))
          break
        }
        attempt += 1
      }
    }
  }

  /// Suspends for a time; returns false if the run was cancelled.
  private func pause(_ time: Duration?) async -> Bool {
    if let time { try? await Task.sleep(for: time) }
    return !Task.isCancelled
  }

  private func fail(
    _ faults: [FileFault], _ status: ExitStatus, _ title: String, _ environment: Environment,
    _ duration: Duration, _ outcome: inout RequestFileOutcome
  ) {
    let scrubber = environment.scrubber
    let reports = faults.map { fault in file.source.report(fault).map(scrubber.text) }
    outcome.reports += reports
    outcome.status = status
    let text = reports.map { $0.joined(separator: "\n") }.joined(separator: "\n")
    outcome.suite.cases.append(
      .init(name: title, outcome: status == .refused ? .failed(text) : .error(text), duration: duration))
  }

  // MARK: One request

  /// How an attempt ended.
  private struct Result {
    var faults: [FileFault] = []
    var status = ExitStatus.refused
    var wasSent = false
    /// Whether another attempt can succeed.
    var canBeRepeated = true
    var duration = Duration.zero
    var content: [UInt8]?
  }

  private func result(
    of entry: Entry, _ index: Int, _ options: EntryOptions, _ environment: inout Environment
  ) async -> Result {
    var result = Result()
    let prepared: PreparedRequest
    let request: Request
    do throws(FileFault) {
      prepared = try entry.prepared(options, in: &environment, readTemplate: readTemplate)
      request = try RequestAssembly(prepared, root: root, chain: chain, format: file.format)
        .request(partition: partition(index, options))
    } catch {
      result.faults = [error]
      result.status = error.kind == .file ? .malformedFile : .refused
      result.canBeRepeated = false
      return result
    }
    result.wasSent = true
    let clock = ContinuousClock()
    let start = clock.now
    do throws(NetworkError) {
      let response = try await pipeline.send(request)
      let content = try await response.body.collect(upTo: 64 << 20)
      result.duration = start.duration(to: clock.now)
      result.content = content
      let received = ReceivedResponse(response, content, to: request, prepared, result.duration)
      result.faults = entry.failures(of: received, in: &environment, tools: root.tools)
      if result.faults.contains(where: { $0.kind == .file }) {
        (result.status, result.canBeRepeated) = (.malformedFile, false)
      }
    } catch {
      result.duration = start.duration(to: clock.now)
      result.status = ExitStatus(error)
      result.canBeRepeated = result.status != .malformedRequest
      result.faults = [
        FileFault(
          environment.scrubber.text("There was no response: \(FailureReport(error).sentence)"),
          at: prepared.urlSpan, kind: .assertion)
      ]
    }
    return result
  }

  /// Cookies belong to one file, unless a file for cookies is shared.
  private func partition(_ index: Int, _ options: EntryOptions) -> String {
    if options.ignoresCookies { return "request \(number).\(index)" }
    return chain.cookies == nil ? "file \(number)" : ""
  }

  private func readTemplate(_ name: String, _ span: Span) throws(FileFault) -> String {
    let bytes: [UInt8]
    do throws(FileAccessError) {
      bytes = try root.bytes(of: name)
    } catch {
      throw FileFault(error.message, at: span)
    }
    guard bytes.count <= SourceText.maximumBytes, let text = String(validating: bytes, as: UTF8.self) else {
      throw FileFault(
        "The file is not text in UTF-8 of at most 4 MiB; send it without placeholders, with < instead of <@.",
        at: span)
    }
    return text
  }
}

/// How the requests of a file ended.
struct RequestFileOutcome: Sendable {
  var suite: JUnitReport.Suite
  /// The lines about each failure.
  var reports: [[String]] = []
  /// The exit status of the first failure; nil if there was none.
  var status: ExitStatus?
  var requestCount = 0
  var duration = Duration.zero
  /// The content of the last response.
  var content: [UInt8]?
  var scrubber: SecretScrubber

  init(name: String, scrubber: SecretScrubber) {
    suite = .init(name: name)
    self.scrubber = scrubber
  }
}

extension ReceivedResponse {
  fileprivate init(
    _ response: Response, _ content: [UInt8], to request: Request, _ prepared: PreparedRequest,
    _ duration: Duration
  ) {
    let transport = response.exchange.transport
    self.init(
      version: transport?.version?.rawValue, status: response.status.code,
      fields: response.head.headerFields.map { ($0.name.rawName, $0.value) }, body: content,
      url: response.exchange.redirects.last?.url ?? prepared.url, duration: duration,
      address: transport?.remoteAddress)
  }
}
