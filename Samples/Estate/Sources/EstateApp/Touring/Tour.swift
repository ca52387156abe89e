import AccountRoutes
import FaultsRoutes
import ListingsRoutes
import Switchyard

/// The steps of the tour: what works, what is refused, and that the app keeps working after every error.
struct Tour {
  var steps: [TourStep] {
    browsing + members + outside + switches + deployments + lifecycle + recovery + faults + afterwards
  }

  private var browsing: [TourStep] {
    [
      .open("estate://listings/house?city=SACRAMENTO&max=150000", "a list over the wire"),
      .open("estate://listings/house?city=SACRAMENTO&max=150000", "the second look is cached", hits: 1),
      .open("estate://listings/next", "the next page, loaded by the manager that the list holds"),
      .open("estate://listings/search?city=GALT", "each letter is a load that cancels the one before"),
      .open(
        "estate://listings/house?page=30", "a hook of the manager refuses late pages to guests",
        expecting: .failed("vetoed")),
      .open("estate://listings/condo", "another API with other field names, the same reformer"),
      .open("estate://listings/multi", "a third API"),
      .open("estate://overview?city=SACRAMENTO", "three managers at once, one delegate, one reformer"),
      .open("estate://browse?city=GALT", "a list that grows page by page, which a pager loads"),
      .open("estate://browse/more", "the next page is added below"),
      .open("estate://browse/refresh", "the first page again, not from the cache"),
      TourStep("FilterHomesRoute twice at once  — the later filter cancels the page of the earlier one") {
        mediator in
        async let lodi: Void = mediator.call(FilterHomesRoute(city: "LODI"))
        async let large: Void = mediator.call(FilterHomesRoute(city: "SACRAMENTO", beds: 4))
        _ = try await (lodi, large)
        return nil
      },
      .open("estate://home/42", "a screen that asks another module by URL, and by the type of its provider"),
      .open(
        "estate://compare?homes=1,42,100000",
        "homes side by side, loaded at the same time; the one that does not exist fails alone"),
      .open(
        "estate://mortgage/quote?price=300000&down=10&years=15", "the same service, called from here", hits: 1
      ),
    ]
  }

  private var members: [TourStep] {
    [
      .open(
        "estate://favourites", "a guest who does not log in", expecting: .failed("refused_by_guard")),
      .open("estate://favourites/add/42", "a guest is led to the login, and then the home is added"),
      .open("estate://favourites", "no detour for a member"),
      .open("estate://session/expire", "as if the token had expired"),
      TourStep("AddFavouriteRoute(home:) ten times at once  — one refresh of the token, and all succeed") {
        mediator in
        try await withThrowingTaskGroup(of: Int.self) { group in
          for home in 1...10 {
            group.addTask { try await mediator.call(AddFavouriteRoute(home: home)).count }
          }
          return "\(try await group.reduce(0, max)) favourites"
        }
      },
      .open("estate://session/forget", "as if the server had forgotten the session"),
      .open(
        "estate://favourites", "the load needs a login, and a hook of the app asks for it",
        expecting: .failed("needs_login")),
      .open("estate://favourites", "logged in again"),
      .open("estate://visit", "the server counts the visits of this device, which a cookie identifies"),
      .open("estate://visit", "and knows it again"),
      TourStep("NoteRoute  — a native route: a long text goes out compressed") { mediator in
        let text = String(repeating: "Is the garden as quiet as the street? ", count: 60)
        return "\(try await mediator.call(NoteRoute(home: 41, text: text)))"
      },
      .open("estate://settings/activity", "what the user did so far, as the server has it"),
    ]
  }

  private var switches: [TourStep] {
    let list = "estate://listings/house?city=SACRAMENTO&max=150000"
    return [
      .open(list, "a list of the member's own, from production"),
      .open("estate://settings/environment/staging", "from now on requests go to staging"),
      .open(list, "the same list, which staging serves by another name"),
      .open("estate://settings/environment/production", "back to production"),
      .open("estate://settings/network/offline", "the network is gone"),
      .open("estate://session/expire", "and the member's token has expired"),
      .open(list, "the stored list is shown, which needs neither", hits: 1),
      .open(
        "estate://listings/multi?page=2", "what is not stored fails before anything is sent",
        expecting: .failed("offline")),
      .open("estate://overview", "without a network a guard leads to the settings"),
      .open("estate://favourites/add/77", "without a network a favourite waits in a file"),
      .open("estate://favourites/add/78", "and so does another one"),
      .open("estate://favourites", "both are shown as waiting"),
      .open("estate://favourites/cancel/78", "the second one is taken back"),
      .open("estate://settings/network/online", "the network is back"),
      .open(
        "estate://settings/downgrade/condos.list?reason=Condos%20are%20back%20at%20noon.",
        "an API is switched off"),
      .open("estate://listings/condo", "its loads are refused", expecting: .failed("downgraded")),
      .open(
        "estate://settings/signatures/standard", "from now on requests carry a signature of RFC 9421"),
      .open("estate://listings/multi?page=3", "and the response's signature is verified"),
      .open("estate://settings", "what is switched, what is loading, and the last failure"),
      .open("estate://favourites", "the favourite that waited was delivered"),
      .open("estate://settings/downgrade/condos.list", "the API is switched on again"),
      .open("estate://listings/condo", "the condos again"),
      .open("estate://settings/signatures/package", "back to the package's own signature"),
    ]
  }

  private var deployments: [TourStep] {
    [
      .open("estate://offers", "a link that the app was not built with", expecting: .failed("unknown_route")),
      .open(
        "estate://settings/deployment/spring",
        "a signed document changes a label, a redirect and a module while the app runs"),
      .open("estate://home/42", "the price has its new label", hits: 1),
      .open("estate://offers", "the redirect leads to a list"),
      .open("estate://about", "the module is switched off", expecting: .failed("unknown_route")),
      .open(
        "estate://settings/deployment/forged", "a document that was changed on its way is refused",
        expecting: .failed("DeploymentError")),
      .open(
        "estate://settings/deployment/deadly",
        "in a folder of its own: an app that dies twice of a document starts with the one before"),
      .open("estate://settings/deployment/none", "a newer document, with which all is as it was built"),
      .open("estate://about", "the module is back"),
    ]
  }

  private var lifecycle: [TourStep] {
    [
      TourStep("memoryWarning  — the modules release what they can load again") { mediator in
        let report = await mediator.deliver(.memoryWarning, limit: .seconds(5))
        return report.entries.map(\.module).joined(separator: ", ")
      },
      .open("estate://home/42", "the app keeps working", hits: 1),
    ]
  }

  private var outside: [TourStep] {
    [
      .open("https://api.estate.test/help.html", "no route matches, so the web page is shown"),
      .open("estate://about", "a screen that is declared by its URL alone"),
      .open("estate://help/login", "the help module's fallback opens a screen that only the module may open"),
      .open(
        "estate://topics/login", "which is refused to others", expecting: .failed("forbidden")),
      .open("estate://help/nothing", "a fallback that declines", expecting: .failed("unknown_route")),
      .open("estate://houses", "an alias of a list"),
      TourStep("estate://home/7  — a link from outside reaches an exposed route") { mediator in
        try await mediator.receive("estate://home/7", from: .scheme("estate"))
        return nil
      },
      TourStep("estate://welcome  — a link with a next URL, which is opened with the rights of the link") {
        mediator in
        try await mediator.receive("estate://welcome?next=estate%3A%2F%2Fhome%2F7", from: .scheme("estate"))
        return nil
      },
      TourStep(
        "estate://welcome  — the same with a next URL that is not exposed",
        expecting: .failed("unknown_route")
      ) { mediator in
        try await mediator.receive("estate://welcome?next=estate%3A%2F%2Flogout", from: .scheme("estate"))
        return nil
      },
      TourStep(
        "estate://logout  — a link from outside to a route that is not exposed, which looks unknown",
        expecting: .failed("unknown_route")
      ) { mediator in
        try await mediator.receive("estate://logout", from: .scheme("estate"))
        return nil
      },
    ]
  }

  private var recovery: [TourStep] {
    [
      .open("estate://fault/moved", "a listing that has moved: the redirect is followed, signed anew"),
      .open("estate://fault/away", "a server that is away for two seconds: the request is sent again"),
      .open("estate://fault/address-down", "the server is no longer reached at its first address"),
      .open("estate://listings/house?page=5", "requests go on over the other one"),
      .open("estate://settings/network", "what is known about both"),
      .open("estate://fault/address-up", "the server is reached at its first address again"),
    ]
  }

  private var faults: [TourStep] {
    [
      .open(
        "estate://fault/tampered", "a request changed after signing", expecting: .failed("ServerRefusal")),
      .open("estate://logout", "a guest again"),
      .open("estate://fault/unauthorized", "members only", expecting: .failed("status_401")),
      .open("estate://favourites", "a guest at a guarded route", expecting: .failed("refused_by_guard")),
      .open("estate://fault/unknown-host", "an unknown host", expecting: .failed("resolve")),
      .open("estate://fault/refused", "a refused connection", expecting: .failed("connect")),
      .open(
        "estate://fault/wrong-name", "a certificate for another name", expecting: .failed("tls_nameMismatch")),
      .open(
        "estate://fault/untrusted", "an unknown certificate authority", expecting: .failed("tls_untrusted")),
      .open("estate://fault/slow", "a server that does not answer", expecting: .failed("timeout_whole")),
      .open("estate://fault/broken", "a server that fails", expecting: .failed("status_500")),
      .open("estate://fault/malformed", "half a JSON document", expecting: .failed("malformed")),
      .open(
        "estate://fault/outdated", "a status that a rule of the service turns into a failure",
        expecting: .failed("invalid_answer")),
      .open(
        "estate://fault/maintenance", "a success by its status, which the rule swallows",
        expecting: .failed("vetoed")),
      .open("estate://home/%zz", "a malformed URL", expecting: .failed("malformed_url")),
      .open("estate://hoem/42", "an unknown route", expecting: .failed("unknown_route")),
      .open("estate://home/abc", "a parameter of the wrong type", expecting: .failed("wrong_parameter")),
      .open("estate://home/100000", "a home that does not exist", expecting: .failed("status_404")),
    ]
  }

  private var afterwards: [TourStep] {
    [.open("estate://home/42", "the app keeps working", hits: 2)]
  }
}
