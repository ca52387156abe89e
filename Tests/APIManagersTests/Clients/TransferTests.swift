import APIManagers
import Downloads
import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite("Uploads, downloads and streams", .timeLimit(.minutes(5))) struct TransferTests {
  struct Photo: API {
    struct Params: Sendable { var path: String }
    struct Output: Decodable, Sendable { var received: Int }
    static let endpoint = Endpoint<Params>(
      .estate, "photos.add", method: .post, path: "/photos",
      encoding: .custom { params throws(ParamsError) in
        do throws(NetworkError) {
          return .init(body: try .file(params.path), contentType: "image/jpeg")
        } catch {
          throw ParamsError(field: "path", "the file cannot be read.")
        }
      })
  }

  struct Plan: API {
    struct Params: Sendable { var home = 42 }
    struct Failure: Decodable, Sendable, Equatable { var message: String }
    static let endpoint = Endpoint<Params>(
      .estate, "plans", path: "/plans/\(\.home)", encoding: .pathOnly, cacheRule: .timed())
  }

  /// An API of a service whose rule decides on a status.
  struct Lease: API {
    static let service = Service(
      "leases", at: ServiceAddress(authority: "leases.example"),
      responseRule: .statuses([401: .needsLogin]))
    static let endpoint = Endpoint<NoParams>(service, "lease", path: "/lease")
  }

  static let chunks = [Array("Hello, ".utf8), Array("plan".utf8)]

  /// Reads an upload's body completely, and responds with its length; responds to a GET with a stream.
  static let dispatcher = ScriptedDispatcher { request, _ throws(NetworkError) in
    if request.head.path == "/v2/plans/7" {
      return Response(status: .gone, bytes: Array(#"{"message": "Sold."}"#.utf8))
    }
    guard !request.body.isEmpty else {
      return Response(
        HTTPResponse(status: .ok), body: .stream(BodyStream(length: 11, ScriptedByteSource(chunks))))
    }
    let source = try await request.body.open()
    var count = 0
    while let chunk = try await source.read() { count += chunk.count }
    return Response(status: .ok, bytes: Array(#"{"received": \#(count)}"#.utf8))
  }

  let client = APIClient(dispatcher: dispatcher)
  let folder = FileManager.default.temporaryDirectory.appending(path: "transfers-\(UUID().uuidString)")

  func path(_ name: String) throws -> String {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.appending(path: name).path
  }

  @Test("H6: An upload reports its progress, through a client and a manager")
  func upload() async throws {
    let path = try path("photo.jpg")
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(repeating: 7, count: 200_000).write(to: URL(filePath: path))
    let meters = [TransferMeter(), TransferMeter()]
    let output = try await client.load(Photo(), Photo.Params(path: path), reportingTo: meters[0])
    let other = try await APIManager(Photo(), client: client)
      .load(.output, for: Photo.Params(path: path), reportingTo: meters[1])
    #expect(output.received == 200_000)
    #expect(other.received == 200_000)
    for meter in meters {
      #expect(meter.latest == TransferMeter.Progress(.upload, bytes: 200_000, total: 200_000))
      var updates = meter.updates().makeAsyncIterator()
      _ = await updates.next()
      #expect(await updates.next() == nil, "The meter must be finished.")
    }
  }

  @Test("H6: A download is written to a file with its progress, through a client and a manager")
  func download() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let paths = [try path("a"), try path("b")]
    let meters = [TransferMeter(), TransferMeter()]
    let outcome = try await client.download(Plan(), Plan.Params(), to: paths[0], reportingTo: meters[0])
    let manager = await APIManager(Plan(), client: client)
    let other = try await manager.load(.file(at: paths[1]), for: Plan.Params(), reportingTo: meters[1])
    #expect(outcome.length == 11)
    #expect(other.length == 11)
    for path in paths {
      #expect(try String(contentsOf: URL(filePath: path), encoding: .utf8) == "Hello, plan")
    }
    for meter in meters {
      #expect(meter.latest == TransferMeter.Progress(.download, bytes: 11, total: 11))
    }
    #expect(await manager.lastResponse == nil)
    #expect(await !manager.isLoading)
  }

  @Test("H6: A response is streamed with its progress, through a client and a manager")
  func stream() async throws {
    let meters = [TransferMeter(), TransferMeter()]
    let responses = [
      try await client.stream(Plan(), Plan.Params(), reportingTo: meters[0]),
      try await APIManager(Plan(), client: client).load(.stream, for: Plan.Params(), reportingTo: meters[1]),
    ]
    for response in responses {
      guard case .stream(let stream) = response.body else {
        Issue.record("The body is not a stream.")
        continue
      }
      var received: [[UInt8]] = []
      for try await chunk in stream { received.append(chunk) }
      #expect(received == Self.chunks as [[UInt8]])
    }
    for meter in meters {
      #expect(meter.latest == TransferMeter.Progress(.download, bytes: 11, total: 11))
    }
    let request = try #require(Self.dispatcher.requests.last { $0.head.path == "/v2/plans/42" })
    #expect(request.options.timeouts.whole == nil)
    #expect(request.context.cacheRule == .off)
  }

  @Test("A rejected status is an error with its content for a stream, and without a file for a download")
  func rejected() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try path("none")
    let params = Plan.Params(home: 7)
    let manager = await APIManager(Plan(), client: client)
    let streams = [
      await Self.error { () async throws(APIError) in _ = try await client.stream(Plan(), params) },
      await Self.error { () async throws(APIError) in _ = try await manager.load(.stream, for: params) },
    ]
    for error in streams {
      #expect(error?.kind == .status(410))
      #expect(error?.failureBody(of: Plan.self) == Plan.Failure(message: "Sold."))
    }
    let downloads = [
      await Self.error { () async throws(APIError) in
        _ = try await client.download(Plan(), params, to: path)
      },
      await Self.error { () async throws(APIError) in _ = try await manager.load(.file(at: path), for: params)
      },
    ]
    for error in downloads { #expect(error?.kind == .status(410)) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test("The service's rule decides on a rejected status of a download, through a client and a manager")
  func rule() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try path("lease")
    let client = APIClient(dispatcher: ScriptedDispatcher(answering: Response(status: .unauthorized)))
    let manager = await APIManager(Lease(), client: client)
    let errors = [
      await Self.error { () async throws(APIError) in
        _ = try await client.download(Lease(), NoParams(), to: path)
      },
      await Self.error { () async throws(APIError) in
        _ = try await manager.load(.file(at: path), for: NoParams())
      },
    ]
    for error in errors { #expect(error?.kind == .needsLogin) }
  }

  @Test("A rejected stream keeps its status if its content is longer than an error keeps, or fails")
  func rejectedContent() async throws {
    let chunk = [UInt8](repeating: 0x20, count: 700_000)
    let lost = NetworkError(.transport, "The connection was closed.")
    let sources = [
      ScriptedByteSource([chunk, chunk]), ScriptedByteSource([Array("{}".utf8)], endingWith: lost),
    ]
    for (source, length) in zip(sources, [1 << 20, 2]) {
      let client = APIClient(
        dispatcher: ScriptedDispatcher { _, _ throws(NetworkError) in
          Response(HTTPResponse(status: .gone), body: .stream(BodyStream(length: nil, source)))
        })
      let error = await Self.error { () async throws(APIError) in
        _ = try await client.stream(Plan(), Plan.Params())
      }
      #expect(error?.kind == .status(410))
      #expect(error?.response?.bytes.count == length)
    }
  }

  @Test("A transfer of a cancelled task sends nothing, and its failure reaches the hooks")
  @MainActor func cancelled() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try path("cancelled")
    let dispatcher = ScriptedDispatcher()
    let manager = APIManager(Plan(), client: APIClient(dispatcher: dispatcher))
    let hooks = RecordingHooks()
    manager.hooks = [hooks]
    let caller = Task {
      await failure { () async throws(APIError) in try await manager.load(.file(at: path), for: Plan.Params())
      }
    }
    // The task starts on the main actor, after this function has suspended.
    caller.cancel()
    #expect(await caller.value?.kind == .cancelled)
    #expect(dispatcher.requests.isEmpty)
    #expect(!hooks.diary.lines.contains("RecordingHooks didSend"))
    #expect(hooks.diary.lines.contains("RecordingHooks didReceive"))
  }

  @Test("Hooks may veto a manager's download and are notified of it, and cancelAll cancels it")
  @MainActor func hooks() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try path("held")
    let gate = Gate()
    let held = APIClient(
      dispatcher: ScriptedDispatcher { request, _ throws(NetworkError) in
        try await gate.pass(request)
        return Response(status: .ok)
      })
    let manager = APIManager(Plan(), client: held)
    let hooks = RecordingHooks()
    manager.hooks = [hooks]
    let caller = Task {
      await failure { () async throws(APIError) in try await manager.load(.file(at: path), for: Plan.Params())
      }
    }
    try await gate.waitForHeld(1)
    #expect(manager.isLoading)
    manager.cancelAll()
    #expect(await caller.value?.kind == .cancelled)
    #expect(!manager.isLoading)
    let points = ["shouldLoad", "didSend", "didReceive", "beforeFailure", "afterFailure"]
    let lines = points.map { "RecordingHooks \($0)" }
    #expect(hooks.diary.lines == lines)

    manager.hooks = [RecordingHooks("Gate", refusing: ["shouldLoad"])]
    let vetoed = await failure { () async throws(APIError) in
      try await manager.load(.file(at: path), for: Plan.Params())
    }
    #expect(vetoed?.kind == .vetoed(by: "Gate"))
  }

  static func error(_ call: () async throws(APIError) -> Void) async -> APIError? {
    do throws(APIError) {
      try await call()
      return nil
    } catch {
      return error
    }
  }
}
