import Mediation

/// A question that the app answers itself, also without a network.
enum HelpTopic: String, RouteValue, CaseIterable {
  case login
  case offers
  case refusals

  var question: String {
    switch self {
    case .login: "How do I log in?"
    case .offers: "Are these homes for sale?"
    case .refusals: "Why was my request refused?"
    }
  }

  var answer: String {
    switch self {
    case .login: "With estate://login. Only the favourites need it; estate://favourites asks for it as well."
    case .offers: "No. They were sold years ago, and the mortgage rates are fictitious."
    case .refusals: "The server answers only requests that the app has signed; its error says what is wrong."
    }
  }
}
