/// Why there is no page.
enum PageFault: Error, Hashable, CustomStringConvertible {
  case notAWebAddress(String)
  case status(Int)

  var description: String {
    switch self {
    case .notAWebAddress(let url): "\(url) is not a web address; it must begin with https://."
    case .status(let code): "The page's server answered \(code); try another page."
    }
  }
}
