/// The flights of an interceptor: requests on their way that equal ones may join until the flights are
/// closed.
package protocol SharedFlights: AnyObject, Sendable {
  /// The number of times that these flights were closed together with the others of the pipeline.
  ///
  /// A request must not join one that began at another number.
  var closings: UInt64 { get }

  /// Prevents that further requests join the present flights of this interceptor alone.
  func closeOwnFlights()

  /// Closes other flights, which are not retained, whenever these are closed.
  func closeToo(_ others: [any SharedFlights])
}

/// An interceptor with flights.
package protocol FlightSharing: Interceptor {
  /// The flights, which copies of the interceptor share.
  var sharedFlights: any SharedFlights { get }
}

/// A dispatcher with interceptors of its own, some of which may have flights.
package protocol FlightSharingDispatcher: Dispatcher {
  /// The flights of the chain's interceptors.
  var sharedFlights: [any SharedFlights] { get }
}

extension FlightSharingDispatcher {
  /// The number of times that flights of the chain were closed.
  ///
  /// A response to a request that began at another number may be older than a change of which the app knows.
  package var flightClosings: UInt64 { sharedFlights.reduce(0) { $0 &+ $1.closings } }
}

extension Pipeline: FlightSharingDispatcher {
  /// Returns the flights of a chain, and makes each close the others: what invalidates stored responses also
  /// makes the requests on their way outdated, wherever they are joined.
  static func linkedFlights(
    among interceptors: [any Interceptor], over base: any Dispatcher
  ) -> [any SharedFlights] {
    let all = flights(among: interceptors, over: base)
    for flights in all { flights.closeToo(all.filter { $0 !== flights }) }
    return all
  }

  fileprivate static func flights(
    among interceptors: [any Interceptor], over base: any Dispatcher
  ) -> [any SharedFlights] {
    interceptors.compactMap { ($0 as? any FlightSharing)?.sharedFlights }
      + ((base as? any FlightSharingDispatcher)?.sharedFlights ?? [])
  }
}

extension Intercepted: FlightSharingDispatcher {
  package var sharedFlights: [any SharedFlights] { Pipeline.flights(among: [interceptor], over: base) }
}
