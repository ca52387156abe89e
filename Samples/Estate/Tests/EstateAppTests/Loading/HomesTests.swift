import APIManagers
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import HomeDetail

@Suite("The homes of a comparison", .timeLimit(.minutes(5)))
struct HomesTests {
  private static func body(_ id: String) -> String {
    #"{"baths":2,"beds":3,"city":"GALT","id":\#(id),"kind":"house","lat":38,"lon":-121,"price":\#(id)000,"sqft":9,"zip":"9"}"#
  }

  @Test("Each home has its own result, whether it is loaded by itself or in a batch")
  func results() async throws {
    let server = ScriptedDispatcher { request, _ throws(NetworkError) in
      let path = request.head.path ?? ""
      guard let list = path.split(separator: "=").dropFirst().first else {
        let id = String(path.split(separator: "/").last ?? "")
        return id == "100000"
          ? Response(status: .notFound) : Response(status: .ok, bytes: Array(Self.body(id).utf8))
      }
      let lines = list.split(separator: ",").map { id in
        id == "100000" ? "100000 404 {}" : "\(id) 200 \(Self.body(String(id)))"
      }
      return Response(status: .ok, bytes: Array(lines.joined(separator: "\n").utf8))
    }
    let ids = [42, 100_000, 1, 7]
    let homes = try await Homes(client: APIClient(dispatcher: server)).homes(ids)
    #expect(homes.map { try? $0.get().home.price } == [42_000, nil, 1_000, 7_000])
    #expect(throws: APIError.self) { try homes[1].get() }
    // The first one is sent at once, and by itself.
    let paths = server.requests.map { $0.head.path ?? "" }
    #expect(paths.first?.hasPrefix("/v1/homes/") == true && paths.count <= ids.count)
    // Each home is asked for once.
    let asked = paths.flatMap { $0.split(whereSeparator: { "/=,".contains($0) }).compactMap { Int($0) } }
    #expect(asked.sorted() == ids.sorted(), "\(paths)")
  }
}
