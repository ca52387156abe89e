import BodyFormats
import Dispatch
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite("Requests in one line")
struct DispatcherRequestsTests {
  private let dispatcher = ScriptedDispatcher()
  private let url = "https://api.example.com/homes"

  @Test("Each function sends its method")
  func methods() async throws {
    _ = try await dispatcher.get(url)
    _ = try await dispatcher.head(url)
    _ = try await dispatcher.delete(url)
    _ = try await dispatcher.post(url)
    _ = try await dispatcher.put(url)
    _ = try await dispatcher.patch(url)
    #expect(dispatcher.requests.map(\.head.method) == [.get, .head, .delete, .post, .put, .patch])
    #expect(dispatcher.requests.allSatisfy { $0.body.isEmpty && $0.head.headerFields.isEmpty })
  }

  @Test("The query, the header fields, the content and the options are sent")
  func everything() async throws {
    var options = RequestOptions()
    options.priority = .high
    _ = try await dispatcher.post(
      url + "?a=1", .json(["b": 2]), query: ["c": "ö&=", "d": nil], headerFields: [.accept: "text/plain"],
      options: options)
    let request = try #require(dispatcher.requests.first)
    #expect(request.head.path == "/homes?a=1&c=%C3%B6%26%3D")
    #expect(request.head.headerFields == [.accept: "text/plain", .contentType: "application/json"])
    #expect(request.body.bytes == Array(#"{"b":2}"#.utf8))
    #expect(request.options == options)
  }

  @Test("A Content-Type among the header fields is kept")
  func contentType() async throws {
    _ = try await dispatcher.put(
      url, .json(1), headerFields: [.contentType: "application/merge-patch+json"])
    #expect(
      dispatcher.requests.first?.head.headerFields[values: .contentType] == ["application/merge-patch+json"])
  }

  @Test("An invalid URL and an unencodable value send nothing")
  func invalid() async throws {
    let error = await #expect(throws: NetworkError.self) { try await dispatcher.get("api.example.com") }
    #expect(error?.kind == .invalidRequest)
    await #expect(throws: NetworkError.self) { try await dispatcher.post(url, .json([Double.infinity])) }
    #expect(dispatcher.requests.isEmpty)
  }

  @Test("A status is not an error of the request")
  func status() async throws {
    let failing = ScriptedDispatcher(answering: Response(status: .internalServerError))
    #expect(try await failing.get(url).status == .internalServerError)
  }

  @Test("A request is sent and its response decoded off the main actor")
  @MainActor func isolation() async throws {
    struct Place: Decodable {
      let isOnMain: Bool
      init(from decoder: any Decoder) throws { isOnMain = isOnMainActor() }
    }
    DispatchQueue.main.setSpecific(key: mainQueueMark, value: true)
    #expect(isOnMainActor(), "The mark must identify the main actor.")
    let dispatcher = ScriptedDispatcher { _, _ throws(NetworkError) in
      Response(status: isOnMainActor() ? .internalServerError : .ok, bytes: Array("{}".utf8))
    }
    #expect(try await dispatcher.get(url).decoded(as: Place.self).isOnMain == false)
  }
}

// On Linux the main actor's jobs may run on any thread, but they always run on the main queue.
private let mainQueueMark = DispatchSpecificKey<Bool>()

private func isOnMainActor() -> Bool { DispatchQueue.getSpecific(key: mainQueueMark) ?? false }
