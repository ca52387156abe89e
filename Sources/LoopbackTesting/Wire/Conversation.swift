#if LoopbackTesting
import HTTPTypes
import SwitchyardTesting

/// A part of a request.
enum RequestPart {
  case head(LoopbackRequest)
  case content([UInt8])
  case end(HTTPFields)
}

/// A source of requests: an HTTP/1.1 connection or an HTTP/2 stream.
protocol RequestIntake {
  /// Returns the next part, or nil at the end.
  func next() async throws -> RequestPart?
}

/// Serves an HTTP/1.1 connection, request by request, or one HTTP/2 stream.
struct Conversation<Intake: RequestIntake, Sink: ResponseSink> {
  let engine: ServerEngine
  let intake: Intake
  let sink: Sink

  func run() async {
    do {
      while case .head(let request)? = try await intake.next() {
        engine.state.update { state in
          state.counts.begunRequests += 1
          state.counts.openExchanges += 1
        }
        let result: Result<Bool, any Error>
        do { result = .success(try await serve(request)) } catch { result = .failure(error) }
        engine.state.update { $0.counts.openExchanges -= 1 }
        guard try result.get() else { return }
      }
    } catch {
      // The client disconnected or violated the protocol; the connection ends with it.
    }
  }

  /// Serves one request; returns whether another one can follow.
  private func serve(_ begun: LoopbackRequest) async throws -> Bool {
    let writer = ResponseWriter(sink: sink, time: engine.configuration.time)
    let scripted = engine.state.update { $0.takeResponse() }
    let early = scripted?.faults ?? engine.configuration.earlyFaults(begun)
    guard case .continues = try await writer.pass(.requestStart, early) else { return false }
    if begun.version == .http1, begun.head.headerFields[.expect]?.lowercased() == "100-continue" {
      try await sink.informational(100)
    }
    guard let request = try await receive(begun, writer, early) else { return false }
    engine.state.update { state in
      state.requests.append(request)
      state.counts.receivedRequests += 1
    }
    let response: LoopbackResponse
    if let scripted { response = scripted } else { response = await engine.handler(request) }
    guard case .continues = try await writer.write(response, to: request.method) else { return false }
    let mustClose =
      response.framing == .untilClose || response.announcedLength != response.content.length
      || begun.head.headerFields[.connection]?.lowercased() == "close"
    if begun.version == .http1, mustClose {
      await sink.close()
      return false
    }
    return begun.version == .http1
  }

  /// Reads the content; returns nil if the exchange ends before that.
  private func receive(
    _ begun: LoopbackRequest, _ writer: ResponseWriter<Sink>, _ faults: [LoopbackFault]
  ) async throws -> LoopbackRequest? {
    var request = begun
    var isFirst = true
    while let part = try await intake.next() {
      switch part {
      case .head: return nil
      case .content(let bytes):
        request.body += bytes
        guard request.body.count <= engine.configuration.bodyLimit else {
          _ = try await writer.write(LoopbackResponse(status: 413), to: request.method)
          await sink.close()
          return nil
        }
        if isFirst {
          guard case .continues = try await writer.pass(.requestBody, faults) else { return nil }
          isFirst = false
        }
      case .end(let trailers):
        request.trailers = trailers
        return request
      }
    }
    return nil
  }
}
#endif
