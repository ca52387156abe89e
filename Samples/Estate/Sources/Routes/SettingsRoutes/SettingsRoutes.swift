package import Mediation

/// The screen of what can be switched while the app runs.
package struct SettingsRoute: ParameterlessRoute, Hashable {
  package static let pattern: RoutePattern = "estate://settings"
  /// The app's own pages in a browser may show it.
  package static let exposure = Exposure.link([.web(host: "127.0.0.1")])

  package init() {}
}

/// The screen of the user's recorded actions, as the server has them.
package struct ActivityRoute: ParameterlessRoute, Hashable {
  package static let pattern: RoutePattern = "estate://settings/activity"
  package static let exposure = SettingsRoute.exposure

  package init() {}
}

/// The screen of the server's addresses, with their connect times and states.
package struct AddressesRoute: ParameterlessRoute, Hashable {
  package static let pattern: RoutePattern = "estate://settings/network"
  package static let exposure = SettingsRoute.exposure

  package init() {}
}

/// Lets the server of the demonstration publish a deployment document, and receives it.
package struct DeploymentRoute: Route, Codable, Hashable {
  /// What a document of the demonstration changes.
  package enum Change: String, Codable, Sendable {
    /// Nothing: the app works as it was built.
    case none
    /// A price label, a redirect, and a module that is switched off.
    case spring
    /// A flag at which the app of the demonstration dies; it is tried in a folder of its own.
    case deadly
    /// The signature is not valid.
    case forged
  }

  /// The lines that say what has become of the document.
  package typealias Output = String
  package static let pattern: RoutePattern =
    "estate://settings/deployment/{change:none|spring|deadly|forged}"
  package static let purpose = "Receives a deployment document."

  package var change: Change
}

/// Switches an API of the app's service off, or on again, as the server's configuration would.
package struct DowngradeRoute: Route, Codable, Hashable {
  package static let pattern: RoutePattern = "estate://settings/downgrade/{api}?reason={reason?}"
  package static let purpose = "Switches an API off or on."

  /// The API's name within the service, such as `condos.list`.
  package var api: String
  /// Why the API is switched off; nil switches it on.
  package var reason: String?
}

/// The environments that the app can use.
package enum EnvironmentChoice: String, Codable, CaseIterable, Sendable {
  /// The servers of all users.
  case production
  /// The servers on which a release is tested.
  case staging
}

/// Uses an environment for requests that start afterwards.
package struct EnvironmentRoute: Route, Codable, Hashable {
  package static let pattern: RoutePattern = """
    estate://settings/environment/{environment:production|staging}?service={service?}
    """

  package var environment: EnvironmentChoice
  /// The service that uses it; all services if it is nil.
  package var service: String?
}

/// What the app knows about the network.
package enum NetworkChoice: String, Codable, CaseIterable, Sendable {
  case online
  case offline
  /// Not known; requests are sent.
  case unknown
}

/// Sets what the app knows about the network, as a phone's network monitor would.
package struct NetworkRoute: Route, Codable, Hashable {
  package static let pattern: RoutePattern = "estate://settings/network/{status:online|offline|unknown}"

  package var status: NetworkChoice
}

/// The schemes with which requests are signed.
package enum SignatureChoice: String, Codable, CaseIterable, Sendable {
  /// That of the package.
  case package
  /// HTTP Message Signatures, the standard of RFC 9421.
  case standard
}

/// Chooses the scheme with which requests are signed.
package struct SignatureRoute: Route, Codable, Hashable {
  package static let pattern: RoutePattern = "estate://settings/signatures/{scheme:package|standard}"

  package var scheme: SignatureChoice
}

/// Uses a server whose address is known only at run time, such as a developer's own.
package struct ServerRoute: Route, Codable, Hashable {
  package static let pattern: RoutePattern = "estate://settings/server?authority={authority?}"

  /// The server's host and port; nil for that of the environment.
  package var authority: ServerAuthority?
}

/// The host and port of a server, as in `localhost:8443`.
package struct ServerAuthority: RouteValue, Codable, Hashable {
  /// An authority, with which the route's properties are checked at startup.
  package static let routeSample: String? = "localhost:8443"

  /// The authority as it stands in a URL.
  package let routeText: String

  /// Creates an authority; nil if the text is not a host of letters, digits, dots and hyphens, with or
  /// without a port.
  package init?(routeText: String) {
    let parts = routeText.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let host = parts.first, !host.isEmpty,
      host.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") }),
      parts.count == 1 || UInt16(parts[1]) != nil
    else { return nil }
    self.routeText = routeText
  }
}
