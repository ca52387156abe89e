import AccountRoutes
import FaultsRoutes
import Mediation

/// The steps of the tour: what works, what is refused, and that the app keeps working after every error.
struct Tour {
  /// The steps, in order.
  var steps: [TourStep] { browsing + members + outside + faults + afterwards }

  private var browsing: [TourStep] {
    [
      .open("estate://listings/house?city=SACRAMENTO&max=150000", "a list over the wire"),
      .open("estate://listings/house?city=SACRAMENTO&max=150000", "the second look is cached", hits: 1),
      .open("estate://listings/next", "the next page"),
      .open("estate://listings/condo", "another API with other field names, the same reformer"),
      .open("estate://listings/multi", "a third API"),
      .open("estate://home/42", "a screen that asks another module for a typed result by URL"),
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
      TourStep("NoteRoute  — a native route: a long text goes out compressed") { mediator in
        let text = String(repeating: "Is the garden as quiet as the street? ", count: 60)
        return "\(try await mediator.call(NoteRoute(home: 42, text: text)))"
      },
    ]
  }

  private var outside: [TourStep] {
    [
      .open("https://api.estate.test/help.html", "no route matches, so the web page is shown"),
      TourStep("estate://home/7  — a link from outside reaches an exposed route") { mediator in
        try await mediator.receive("estate://home/7", from: .scheme("estate"))
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
