import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import APIManagers

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

  @Test("C1: Each service has an address, a version and a key for each environment, switched at run time")
  func environments() async throws {
    let names = ["estate", "members"]
    let services = names.map { name in
      Service(
        name, at: ServiceAddress(authority: "\(name).release", version: "v1", keyID: "\(name)-r"),
        releaseCandidate: ServiceAddress(authority: "\(name).rc", version: "v2", keyID: "\(name)-rc"),
        develop: ServiceAddress(scheme: "http", authority: "\(name).develop", keyID: "\(name)-d"))
    }
    let environments = EnvironmentSwitch()
    func description(_ service: Service) throws -> String {
      let endpoint = Endpoint<NoParams>(service, "ping", path: "/ping")
      let request = try endpoint.request(for: NoParams(), at: environments.address(of: service))
      return "\(request.head.scheme ?? "")://\(request.head.authority ?? "")\(request.head.path ?? "")"
        + " \(request.serviceKeyID ?? "unsigned")"
    }
    #expect(
      try services.map(description) == [
        "https://estate.release/v1/ping estate-r", "https://members.release/v1/ping members-r",
      ])
    environments.use(.develop)
    environments.use(.releaseCandidate, for: "members")
    #expect(
      try services.map(description) == [
        "http://estate.develop/ping estate-d", "https://members.rc/v2/ping members-rc",
      ])
    environments.use(.release, for: "estate")
    #expect(try description(services[0]) == "https://estate.release/v1/ping estate-r")
  }

  @Test("A request that was led to another authority has no key of the service")
  func keyAfterRedirect() throws {
    let address = ServiceAddress(authority: "api.example", keyID: "k1")
    let endpoint = Endpoint<NoParams>(Service("s", at: address), "ping", path: "/ping")
    var request = try endpoint.request(for: NoParams(), at: address)
    #expect(request.serviceKeyID == "k1")
    request.head.authority = "evil.example"
    #expect(request.serviceKeyID == nil)
    request = try endpoint.request(for: NoParams(), at: ServiceAddress(authority: "api.example"))
    #expect(request.serviceKeyID == nil)
  }

  @Test(
    "C3: Common params and fields are set once for all services, per service and per API, the nearest wins")
  func commonFields() async throws {
    let language = try #require(HTTPField.Name("Accept-Language"))
    let service = Service(
      "estate", at: ServiceAddress(authority: "api.example"),
      common: CommonFields(
        params: { api in ["client": "service", "for": api.name, "page": "0"] },
        headerFields: { api in
          api.name == "list" ? [.userAgent: "Estate/1", language: "de"] : [language: "de"]
        }))
    let dispatcher = ScriptedDispatcher()
    var client = APIClient(dispatcher: dispatcher)
    client.common = CommonFields(
      params: { api in ["client": "app", "page": "9", "app": "7.2"] },
      headerFields: { _ in [.userAgent: "App/7", .accept: "application/json"] })
    _ = try await client.load(CondoList(), Search())
    _ = try await client.load(Forecast())
    #expect(
      dispatcher.requests.map(\.head.path) == [
        "/v2/condos?city=Lyon&page=1&client=app&app=7.2", "/forecast?client=app&page=9&app=7.2",
      ])
    #expect(dispatcher.requests.allSatisfy { $0.head.headerFields[.userAgent] == "App/7" })

    func request(_ name: String, _ fields: HTTPFields) throws -> Request {
      try Endpoint<Search>(service, name, path: "/s", headerFields: fields).request(
        for: Search(), at: service.release, partition: "", common: client.common)
    }
    let list = try request("list", [language: "fr"])
    #expect(list.head.path == "/s?city=Lyon&page=1&client=service&for=list&app=7.2")
    #expect(list.head.headerFields[.userAgent] == "Estate/1")
    #expect(list.head.headerFields[values: language] == ["fr"])
    #expect(list.head.headerFields[.accept] == "application/json")
    let detail = try request("detail", [:])
    #expect(detail.head.headerFields[.userAgent] == "App/7")
    #expect(detail.head.headerFields[values: language] == ["de"])
  }

  @Test("Environments are switched at run time, for all services or for one")
  @MainActor func switching() async throws {
    let dispatcher = ScriptedDispatcher()
    let environments = EnvironmentSwitch()
    let client = APIClient(dispatcher: dispatcher, environments: environments)
    let houses = APIManager(CondoList(), client: client)
    let forecast = APIManager(Forecast(), client: client)
    func url() async throws -> String {
      _ = try await houses.load(.response, for: Search())
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
    _ = try await forecast.load(.response)
    #expect(dispatcher.requests.last?.head.authority == "weather.example")
  }
}
