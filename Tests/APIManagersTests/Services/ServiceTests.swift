import APIManagers
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite struct ServiceTests {
  static func path(
    _ base: String, _ version: String?, _ path: PathTemplate<NoParams>, rule: URLRule = .standard
  )
    throws -> String?
  {
    let address = ServiceAddress(authority: "api.example", basePath: base, version: version)
    let service = Service("s", at: address, urlRule: rule)
    return try Endpoint<NoParams>(service, "x", path: path).request(for: NoParams(), at: address).head.path
  }

  @Test("C2: The URL path is base path, version if any, and API path, unless the service has its own rule")
  func urlRule() throws {
    #expect(try Self.path("", nil, "/houses") == "/houses")
    #expect(try Self.path("", "v2", "/houses") == "/v2/houses")
    #expect(try Self.path("/mobile", "v2", "/houses") == "/mobile/v2/houses")
    #expect(try Self.path("mobile/", nil, "/houses/") == "/mobile/houses/")
    #expect(try Self.path("", nil, "") == "/")
    #expect(try Self.path("", "v2", "/") == "/v2/")
    let versionLast = URLRule { address, path in "\(address.basePath)\(path)/\(address.version ?? "")" }
    #expect(try Self.path("/mobile", "v2", "/houses", rule: versionLast) == "/mobile/houses/v2")
  }

  @Test("Environments are switched at run time, for all services or for one")
  @MainActor func switching() async throws {
    let dispatcher = ScriptedDispatcher()
    let environments = EnvironmentSwitch()
    let client = APIClient(dispatcher: dispatcher, environments: environments)
    let houses = APIManager(CondoList(), client: client)
    let forecast = APIManager(Forecast(), client: client)
    func url() async throws -> String {
      _ = try await houses.response(for: Search())
      let head = try #require(dispatcher.requests.last).head
      return "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path?.prefix { $0 != "?" } ?? "")"
    }
    #expect(try await url() == "https://api.estate.example/v2/condos")
    environments.use(.develop)
    #expect(try await url() == "http://127.0.0.1:8080/v1/condos")
    environments.use(.releaseCandidate, for: "estate")
    #expect(try await url() == "https://rc.estate.example/mobile/v1/condos")
    #expect(environments.environment(of: "weather") == .develop)
    environments.use(address: ServiceAddress(scheme: "http", authority: "[::1]:9"), for: "estate")
    #expect(try await url() == "http://[::1]:9/condos")
    environments.use(address: nil, for: "estate")
    environments.use(nil, for: "estate")
    #expect(try await url() == "http://127.0.0.1:8080/v1/condos")
    _ = try await forecast.response()
    #expect(dispatcher.requests.last?.head.authority == "weather.example")
  }
}
