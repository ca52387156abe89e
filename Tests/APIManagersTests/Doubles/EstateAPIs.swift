import APIManagers
import Interception

extension Service {
  static let estate = Service(
    "estate", at: ServiceAddress(authority: "api.estate.example", version: "v2"),
    releaseCandidate: ServiceAddress(authority: "rc.estate.example", basePath: "/mobile", version: "v1"),
    develop: ServiceAddress(scheme: "http", authority: "127.0.0.1:8080", version: "v1"))
  static let weather = Service("weather", at: ServiceAddress(authority: "weather.example"))
}

struct Search: Encodable, Sendable, Equatable {
  var city = "Lyon"
  var page = 1
}

/// An API with both validators; that of the params refuses an empty city, that of the response the text
/// "refuse".
struct HouseList: API {
  static let endpoint = Endpoint<Search>(.estate, "houses.list", path: "/houses", cacheRule: .timed())

  func validate(_ params: Search) throws(ParamsError) {
    guard !params.city.isEmpty else { throw ParamsError(field: "city", "choose a city.") }
  }

  func validate(_ response: APIResponse) throws(ResponseError) {
    switch response.text {
    case "refuse": throw .invalid("The list was refused.")
    case "empty": throw .noContent
    case "token": throw .needsToken
    case "login": throw .needsLogin
    case "declined": throw .loginCancelled
    default: break
    }
  }
}

/// An API that declares only its endpoint.
struct CondoList: API {
  static let endpoint = Endpoint<Search>(.estate, "condos.list", path: "/condos")
}

struct MultiFamilyList: API {
  static let endpoint = Endpoint<Search>(.estate, "multi-family.list", path: "/multi-family")
}

struct Forecast: API {
  static let endpoint = Endpoint<NoParams>(.weather, "forecast", path: "/forecast")
}

struct Refresh: API {
  static let endpoint = Endpoint<Search>(.estate, "refresh", path: "/houses", inFlight: .ignoreNew)
}

struct Filter: API {
  static let endpoint = Endpoint<Search>(.estate, "filter", path: "/houses", inFlight: .cancelPrevious)
}
