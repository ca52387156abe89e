import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import ResourceLoading

@Suite(.timeLimit(.minutes(5))) struct ResourceFailureTests {
  /// A response that is no resource, and the beginning of what the error says.
  private struct Fault: CustomStringConvertible {
    let description: String
    let limits: ResourceLimits
    let response: Response

    init(_ text: String, limits: ResourceLimits = ResourceLimits(), _ response: Response) {
      (description, self.limits, self.response) = (text, limits, response)
    }

    init(_ text: String, limits: ResourceLimits = ResourceLimits(), bytes: [UInt8]) {
      self.init(text, limits: limits, Response(status: .ok, bytes: bytes))
    }
  }

  private static let faults: [Fault] = [
    Fault("The server answered with the status 404", Response(status: .notFound, bytes: [1])),
    Fault("The server answered with the status 206", Response(status: .partialContent, bytes: [1])),
    Fault("The server answered with the status 304", Response(status: .notModified)),
    Fault("The response has no content", Response(status: .ok)),
    Fault("The response has no content", Response(status: .noContent)),
    Fault("The content can't be decoded: PictureFault", bytes: Array("<html>".utf8)),
    Fault("The content can't be decoded: PictureFault", bytes: Array("picture a 40".utf8)),
    Fault("The size is 0 × 20 pixels", bytes: Picture(name: "a", width: 0, height: 20).bytes),
    Fault("The size is -1 × -1 pixels", bytes: Picture(name: "a", width: -1, height: -1).bytes),
    Fault(
      "The resource has 100000 × 100000 pixels",
      bytes: Picture(name: "a", width: 100_000, height: 100_000).bytes),
    Fault(
      "The resource has \(Int.max) × 3 pixels", bytes: Picture(name: "a", width: .max, height: 3).bytes),
    Fault(
      "The resource has 11 × 10 pixels", limits: ResourceLimits(pixels: 100),
      bytes: Picture(name: "a", width: 11, height: 10).bytes),
    Fault(
      "body_too_large: The body is longer than the 10 bytes allowed",
      limits: ResourceLimits(encodedBytes: 10),
      bytes: Picture(name: "a", width: 1, height: 1).bytes),
  ]

  @Test(
    "What is no resource, or is too large, is a typed error that names the URL, and is not decoded or kept",
    arguments: faults.indices)
  func fault(_ index: Int) async throws {
    let fault = Self.faults[index]
    let (server, decoder) = (ScriptedDispatcher(answering: fault.response), PictureDecoder())
    let loader = ResourceLoader(over: server, decoder: decoder, limits: fault.limits)
    let request = Request(authority: "photos.example", path: "/a?token=secret")
    for number in 1...2 {
      let error = await #expect(throws: ResourceError.self) { try await loader.load(request) }
      let text = try #require(error.map { "\($0)" })
      #expect(
        text.hasPrefix(fault.description) && text.hasSuffix("[GET https://photos.example/a]"), "\(text)")
      #expect(error?.isCancellation == false)
      #expect(server.requests.count == number, "A failed load is sent again by the next one")
    }
    #expect(decoder.counts.isEmpty && loader.placeholder(for: request) == nil)
    #expect(loader.statistics.waiting == 0 && loader.statistics.decodedBytes == 0)
  }

  @Test("A streamed response that is too long, or ends early, fails, too", arguments: [true, false])
  func streamedFaults(_ isTooLong: Bool) async throws {
    let lost = NetworkError(.transport, "The connection was lost.")
    let source = ScriptedByteSource(Array(repeating: [1, 2, 3], count: 10), endingWith: lost)
    let server = ScriptedDispatcher(
      answering: Response(HTTPResponse(status: .ok), body: .stream(BodyStream(length: nil, source))))
    let loader = ResourceLoader(
      over: server, decoder: PictureDecoder(), limits: ResourceLimits(encodedBytes: isTooLong ? 7 : 100))
    let meter = TransferMeter()
    let error = await #expect(throws: ResourceError.self) {
      try await loader.load(PictureServer.request("a"), reportingTo: meter)
    }
    guard case .network(let cause) = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(cause.kind == (isTooLong ? .bodyTooLarge(limit: 7) : .transport))
    #expect(source.reads == (isTooLong ? 3 : 10) && source.isCancelled == isTooLong)
  }

  /// The delivery of a request, and the limit that it has with a loader that allows 20 bytes.
  private static let deliveries: [(RequestOptions.Delivery, Int64?, limit: Int64)] = [
    (.buffered(upTo: 10), nil, 10), (.buffered(upTo: 10), 15, 10), (.buffered(upTo: 64), nil, 20),
    (.streamed, 10, 10), (.streamed, nil, 20),
  ]

  @Test(
    "The smaller limit is obeyed with and without a meter, for bytes and for a stream",
    arguments: [true, false], deliveries.indices)
  func ownLimits(_ isMetered: Bool, _ index: Int) async throws {
    let (delivery, streamLimit, limit) = Self.deliveries[index]
    for isStream in [true, false] {
      let bytes = Array(repeating: UInt8(1), count: 30)
      // A stream can be read once.
      let server = ScriptedDispatcher { _, _ throws(NetworkError) in
        guard isStream else { return Response(status: .ok, bytes: bytes) }
        let stream = BodyStream(length: nil, ScriptedByteSource(bytes.map { [$0] }))
        return Response(HTTPResponse(status: .ok), body: .stream(stream))
      }
      let loader = ResourceLoader(
        over: server, decoder: PictureDecoder(), limits: ResourceLimits(encodedBytes: 20))
      var request = PictureServer.request("a")
      request.options.delivery = delivery
      request.options.streamLimit = streamLimit
      let error = await #expect(throws: ResourceError.self) {
        try await loader.load(request, reportingTo: isMetered ? TransferMeter() : nil)
      }
      guard case .network(let cause) = error?.kind else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(cause.kind == .bodyTooLarge(limit: limit), "a stream: \(isStream)")
      let options = try #require(server.requests.first).options
      #expect(options.delivery == (isMetered ? .streamed : .buffered(upTo: Int(limit))))
      if isMetered { #expect(options.streamLimit == limit) }
    }
  }

  @Test("A load without a limit of its own doesn't fail by that of another one", arguments: [true, false])
  func limitsOfOthers(_ isLimitedFirst: Bool) async throws {
    let server = PictureServer()
    let loader = ResourceLoader(over: server, decoder: PictureDecoder())
    server.close()
    var limited = PictureServer.request("a")
    limited.options.delivery = .buffered(upTo: 10)
    let requests = [limited, PictureServer.request("a")]
    var loads: [Task<Picture, any Error>] = []
    for (index, request) in (isLimitedFirst ? requests : requests.reversed()).enumerated() {
      loads.append(Task { try await loader.load(request) })
      try await waitUntil("it waits") { loader.statistics.waiting == index + 1 }
    }
    server.open()
    let (own, other) = isLimitedFirst ? (loads[0], loads[1]) : (loads[1], loads[0])
    #expect(try await other.value.name == "a")
    await #expect(throws: ResourceError.self) { try await own.value }
  }

  @Test("A size without pixels is refused before anything is sent", arguments: [(0, 10), (10, 0), (-1, 5)])
  func invalidSize(_ width: Int, _ height: Int) async throws {
    let server = PictureServer()
    let loader = ResourceLoader(over: server, decoder: PictureDecoder())
    let error = await #expect(throws: ResourceError.self) {
      try await loader.load(PictureServer.request("a"), at: PixelSize(width: width, height: height))
    }
    guard case .invalidSize = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(server.paths.isEmpty)
  }

  @Test("A failure is that of all that wait, and the next load is sent again")
  func failureOfAll() async throws {
    let server = ScriptedDispatcher { request, number throws(NetworkError) in
      if number == 1 { throw NetworkError(.transport, "The connection was lost.") }
      return Response(status: .ok, bytes: Picture(name: "a", width: 2, height: 2).bytes)
    }
    let loader = ResourceLoader(over: server, decoder: PictureDecoder())
    await #expect(throws: ResourceError.self) { try await loader.load(PictureServer.request("a")) }
    #expect(try await loader.load(PictureServer.request("a")).name == "a")
  }

  @Test("A failed prefetch is forgotten, and the load that follows is sent")
  func failedPrefetch() async throws {
    let server = ScriptedDispatcher { request, number throws(NetworkError) in
      Response(
        status: number == 1 ? .badGateway : .ok, bytes: Picture(name: "a", width: 2, height: 2).bytes)
    }
    let loader = ResourceLoader(over: server, decoder: PictureDecoder())
    loader.prefetch([PictureServer.request("a")])
    try await waitUntil("the prefetch was sent") { server.requests.count == 1 }
    // If the load still joins the prefetch, it fails with it.
    let first = try? await loader.load(PictureServer.request("a"))
    let second = try await loader.load(PictureServer.request("a"))
    #expect(second.name == "a" && (first == nil || first == second) && server.requests.count == 2)
  }

  @Test("What the server says must not be stored is returned, and not kept")
  func noStore() async throws {
    let server = PictureServer { picture throws(NetworkError) in
      Response(
        status: .ok, headerFields: [.cacheControl: "private, No-Store"], bytes: picture.bytes)
    }
    let loader = ResourceLoader(over: server, decoder: PictureDecoder())
    for number in 1...2 {
      #expect(try await loader.load(PictureServer.request("a")).name == "a")
      #expect(server.paths.count == number && loader.statistics.decodedBytes == 0)
    }
  }

  @Test(
    "When a later load fails, the value before is still the placeholder",
    arguments: [Picture(name: "a", width: 100_000, height: 100_000).bytes, Array("<html>".utf8), []])
  func lastGoodValue(_ bytes: [UInt8]) async throws {
    let good = Picture(name: "a", width: 2, height: 2)
    let server = ScriptedDispatcher { request, number throws(NetworkError) in
      Response(status: .ok, bytes: number == 1 ? good.bytes : bytes)
    }
    // Each load asks the pipeline.
    let loader = ResourceLoader(
      over: server, decoder: PictureDecoder(), limits: ResourceLimits(lifetime: .zero))
    let request = PictureServer.request("a")
    #expect(try await loader.load(request) == good)
    await #expect(throws: ResourceError.self) { try await loader.load(request) }
    #expect(loader.placeholder(for: request) == good && server.requests.count == 2)
  }
}
